;;; (chibi crypto md5): sums of other programs.
(import (scheme base) (chibi crypto md5) (chibi-bridge test))

(test-begin "md5")

(test "d41d8cd98f00b204e9800998ecf8427e"
      (md5 (make-string 0 #\x)))
(test "9dd4e461268c8034f5c8564e155c67a6"
      (md5 (make-string 1 #\x)))
(test "f561aaf6ef0bf14d4208bb46a4ccb3ad"
      (md5 (make-string 3 #\x)))
(test "61ea0974c662328da964d977a8253873"
      (md5 (make-string 54 #\x)))
(test "04364420e25c512fd958a70738aa8f72"
      (md5 (make-string 55 #\x)))
(test "668a72d5ba17f08e62dabcafad6db14b"
      (md5 (make-string 56 #\x)))
(test "693037871c4a9d3d8685018905cb530a"
      (md5 (make-string 57 #\x)))
(test "7dc2ca208106a2f703567bdff99d8981"
      (md5 (make-string 63 #\x)))
(test "c1bb4f81d892b2d57947682aeb252456"
      (md5 (make-string 64 #\x)))
(test "1bc932052302d074bdec39795fe00cf6"
      (md5 (make-string 65 #\x)))
(test "ab347a5f68c8a443cfcddc633f12c24f"
      (md5 (make-string 119 #\x)))
(test "fb98667f98096de92620b64f46e1c5b5"
      (md5 (make-string 120 #\x)))
(test "d69cb61a6ee87200676eb0d4b90edbcb"
      (md5 (make-string 128 #\x)))
(test "30a83621ce5422fbdfdd539777458c78"
      (md5 (make-string 200 #\x)))
(test "4dbed2e657457884e67137d3514119b3" (md5 "日本"))
(test "f0c628d9bb05805dedbf25ebde831087" (md5 #u8(1 2 200)))
(test "f0c628d9bb05805dedbf25ebde831087"
      (md5 (open-input-bytevector #u8(1 2 200))))
(test "900150983cd24fb0d6963f7d28e17f72" (md5 (open-input-string "abc")))
(test-error (md5 1))

(test-end)
(test-exit)
