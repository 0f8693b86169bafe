;; SRFI 111: boxes.
(define-library (srfi 111)
  (export box box? unbox set-box!)
  (import (scheme base))
  (begin
    ;;> (box object)
    ;;> (box? object)
    ;;> (unbox box)
    ;;> (set-box! box object)
    ;;> Make a box with OBJECT in it; is OBJECT one; what is in BOX; put OBJECT
    ;;> there. (unbox (box 3)) => 3
    (define-record-type <box>
      (box value)
      box?
      (value unbox set-box!))))
