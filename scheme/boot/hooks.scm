;;; Tells the engine the procedures it calls by number (enum root in heap.h).

(%set-root! 4 %eval-text)   ; ROOT_EVAL_UNIT
(%set-root! 5 %raise)       ; ROOT_RAISE
(%set-root! 6 %rewind)      ; ROOT_REWIND
