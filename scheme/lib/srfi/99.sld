;; SRFI 99: records: procedures on record types, and define-record-type with
;; parents and names that are left out. Types of R7RS's define-record-type are
;; of the same sort. There are no options of types but sealed, opaque and uid,
;; which are taken and do nothing.
(define-library (srfi 99)
  (export
   ;; procedures
   make-rtd rtd? rtd-constructor rtd-predicate rtd-accessor rtd-mutator
   ;; inspection
   record? record-rtd rtd-name rtd-parent rtd-field-names
   rtd-all-field-names rtd-field-mutable?
   ;; syntax
   (rename define-record-type-99 define-record-type))
  (import (scheme base) (scheme cxr)
          (only (%core) %join-identifiers %make-record-type %record %record?
                %record-ref %record-set! %record-type %record-type?
                %record-type-name %record-type-fields %record-type-parent
                %record-type-uid %set-record-type-uid!))
  (include "99.scm"))
