;;; (chibi channel), the body. A queue in a list whose first pair is a dummy.

;;> Channel
;;> The record type of channels.
(define-record-type Channel
  (%make-channel mutex filled front back)
  channel?
  (mutex channel-mutex)
  (filled channel-filled)
  (front channel-front channel-front-set!)
  (back channel-back channel-back-set!))

;;> (channel? object)
;;> Is OBJECT a channel? (channel? (make-channel)) => #t

;;> (make-channel)
;;> Return a new channel: what is sent comes out in the same order.
;;> (channel-empty? (make-channel)) => #t
(define (make-channel)
  (let ((dummy (list #f)))
    (%make-channel (make-mutex) (make-condition-variable) dummy dummy)))

;;> (channel-empty? channel)
;;> Is there nothing to receive?
(define (channel-empty? channel) (null? (cdr (channel-front channel))))

;;> (channel-send! channel object)
;;> Put OBJECT into CHANNEL.
;;> (let ((c (make-channel))) (channel-send! c 1) (channel-receive! c)) => 1
(define (channel-send! channel object)
  (mutex-lock! (channel-mutex channel))
  (let ((last (list object)))
    (set-cdr! (channel-back channel) last)
    (channel-back-set! channel last))
  (condition-variable-signal! (channel-filled channel))
  (mutex-unlock! (channel-mutex channel)))

;;> (channel-receive! channel)
;;> Take out the first object; wait until there is one.
(define (channel-receive! channel)
  (mutex-lock! (channel-mutex channel))
  (if (channel-empty? channel)
      (begin
        (mutex-unlock! (channel-mutex channel) (channel-filled channel))
        (channel-receive! channel))
      (let ((first (cdr (channel-front channel))))
        (channel-front-set! channel first)
        (mutex-unlock! (channel-mutex channel))
        (let ((object (car first)))
          (set-car! first #f)
          object))))
