;;; (tein introspect docs), the body.

;;> introspect-docs
;;> An alist from the names of (tein introspect) to texts about them.
(define introspect-docs
  '((__module__ . "tein introspect")
    (available-modules
     . "(available-modules): the names of all modules that can be imported.")
    (imported-modules
     . "(imported-modules): the names of the modules whose exports are visible.")
    (module-exports
     . "(module-exports '(a b)): the names that the module exports.")
    (env-bindings
     . "(env-bindings [prefix]): an alist of visible names to procedure, syntax or variable.")
    (procedure-arity
     . "(procedure-arity p): (min . max), max #f for any number; #f for no procedure.")
    (binding-info
     . "(binding-info 'name): an alist with name, kind, arity, module and doc; #f if unbound.")
    (describe-environment
     . "(describe-environment): an alist with all modules and their exports.")
    (describe-environment/text
     . "(describe-environment/text): the same as a text.")))
