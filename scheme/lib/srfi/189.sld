;; SRFI 189: Maybe and Either, optional containers of any number of values.
(define-library (srfi 189)
  (export
   ;; constructors
   just nothing right left list->just list->right list->left
   maybe->either either->maybe either-swap
   ;; predicates
   just? nothing? maybe? right? left? either? maybe= either=
   ;; accessors
   maybe-ref maybe-ref/default either-ref either-ref/default
   ;; join and bind
   maybe-join either-join maybe-bind either-bind maybe-compose
   either-compose
   ;; sequence operations
   maybe-length either-length maybe-filter maybe-remove either-filter
   either-remove maybe-sequence either-sequence
   ;; protocols
   maybe->list list->maybe either->list list->either maybe->truth
   truth->maybe either->truth truth->either maybe->list-truth
   list-truth->maybe either->list-truth list-truth->either
   maybe->generation generation->maybe either->generation
   generation->either maybe->values values->maybe either->values
   values->either maybe->two-values two-values->maybe exception->either
   ;; map, fold, unfold
   maybe-map maybe-for-each maybe-fold maybe-unfold either-map
   either-for-each either-fold either-unfold
   ;; syntax
   maybe-if maybe-and maybe-or maybe-let* maybe-let*-values either-and
   either-or either-let* either-let*-values either-guard
   ;; trivalent logic
   tri-not tri=? tri-and tri-or tri-merge)
  (import (scheme base))
  (include "189.scm"))
