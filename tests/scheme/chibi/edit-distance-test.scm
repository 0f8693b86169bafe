;;; (chibi edit-distance).
(import (scheme base) (chibi edit-distance) (chibi-bridge test))

(test-begin "edit-distance")

(test '(0 0 3 3) (list (edit-distance "" "") (edit-distance "same" "same")
                       (edit-distance "" "abc") (edit-distance "abc" "")))
(test '(1 2 3 3) (list (edit-distance "same" "game") (edit-distance "same" "sand")
                       (edit-distance "kitten" "sitting")
                       (edit-distance "Saturday" "Sunday")))
(test '("cart" "bat") (find-nearest-edits "cat" '("dog" "cart" "bat")))
(test '() (find-nearest-edits "cat" '("dog" "horse") 2))
(test '("cot") (find-nearest-edits "cat" '("dog" "cot") 2))
(test '("ab" "ba") (find-nearest-edits "a" '("ab" "ba" "abc") 1))
(test '() (find-nearest-edits "a" '()))

(test-end)
(test-exit)
