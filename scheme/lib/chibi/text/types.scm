;;; (chibi text types), the body.

;;> (make-text bytes start end [prev [next [marks [source]]]])
;;> Return a text: those bytes, in UTF-8, from START to END. Texts may be chained, and know
;;> the marks in them and where they come from.
;;> (text? object), (text-bytes text), (text-start text), (text-end text), (text-prev text),
;;> (text-next text), (text-marks text), (text-source text), and (text-bytes-set! text
;;> object) ...
;;> Is OBJECT a text? Its parts. (text-end (make-text #u8(97 98) 0 1)) => 1
(define-record-type Text
  (%make-text bytes start end prev next marks source)
  text?
  (bytes text-bytes text-bytes-set!)
  (start text-start text-start-set!)
  (end text-end text-end-set!)
  (prev text-prev text-prev-set!)
  (next text-next text-next-set!)
  (marks text-marks text-marks-set!)
  (source text-source text-source-set!))

(define (make-text bytes start end . rest)
  (define (argument i default)
    (let loop ((rest rest) (i i))
      (cond ((null? rest) default)
            ((= i 0) (car rest))
            (else (loop (cdr rest) (- i 1))))))
  (%make-text bytes start end (argument 0 #f) (argument 1 #f) (argument 2 '())
              (argument 3 #f)))

;;> (text-first text), (text-last text)
;;> Return the first or last text of the chain that TEXT is in.
(define (text-first text)
  (if (text-prev text) (text-first (text-prev text)) text))
(define (text-last text)
  (if (text-next text) (text-last (text-next text)) text))

;;> (make-mark text offset data), (mark? object), (mark-text mark), (mark-offset mark),
;;> (mark-data mark), and (mark-text-set! mark object) ...
;;> A place in a text: OFFSET is that of its byte. (mark-offset (make-mark #f 3 #f)) => 3
(define-record-type Mark
  (make-mark text offset data)
  mark?
  (text mark-text mark-text-set!)
  (offset mark-offset mark-offset-set!)
  (data mark-data mark-data-set!))

;;> (make-text-source loader path data), (text-source? object), (text-source-loader source),
;;> (text-source-path source), (text-source-data source), and those with -set!
;;> Where a text comes from. (text-source-path (make-text-source #f "a" #f)) => "a"
(define-record-type Text-Source
  (make-text-source loader path data)
  text-source?
  (loader text-source-loader text-source-loader-set!)
  (path text-source-path text-source-path-set!)
  (data text-source-data text-source-data-set!))

;;> (make-text-loader load reload write modified?), (text-loader? object),
;;> (text-loader-load loader), (text-loader-reload loader), (text-loader-write loader),
;;> (text-loader-modified? loader), and those with -set!
;;> The procedures that bring texts from a kind of source and back.
;;> (text-loader-load (make-text-loader 1 2 3 4)) => 1
(define-record-type Text-Loader
  (make-text-loader load reload write modified?)
  text-loader?
  (load text-loader-load text-loader-load-set!)
  (reload text-loader-reload text-loader-reload-set!)
  (write text-loader-write text-loader-write-set!)
  (modified? text-loader-modified? text-loader-modified?-set!))
