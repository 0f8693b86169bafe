;; Properties that hold for all values of a kind, as a *-props.scm beside a tool
;; file has them. A generator says which values, as data, and makes what the
;; property sees from them; the values themselves are drawn, and made small
;; where one is found that breaks the property, by chibi_bridge.fuzz.
(define-library (chibi-bridge property)
  (export
   ;; properties
   define-property for-all implies
   ;; generators
   integer-between natural real-between any-string string-of char-from
   list-of vector-of pair-of tuple-of one-of choice constant optional-of
   json-value any-datum map-of such-that arguments-of
   ;; the tools of the file
   run-tool
   ;; for the runner
   %properties %property-name %property-variables %property-specs
   %check-property %tool-finder!)
  (import (scheme base) (scheme write))
  (include "property.scm"))
