(import (chibi-bridge property))

(define-property as-wide-as-asked (for-all (args (arguments-of "pad_label")))
  (= (string-length (run-tool "pad_label" args))
     (max (cdr (assoc "width" args))
          (string-length (cdr (assoc "label" args))))))
