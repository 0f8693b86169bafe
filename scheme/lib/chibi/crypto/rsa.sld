;; RSA, with chibi's names. It is written to be read: it does not take the same time
;; for all keys, and its padding is none that keeps messages secret. Do not protect
;; anything with it.
(define-library (chibi crypto rsa)
  (export
   make-rsa-key rsa-key? rsa-key-bits rsa-key-n rsa-key-e rsa-key-d
   rsa-key-gen rsa-key-gen-from-primes rsa-pub-key
   rsa-encrypt rsa-decrypt rsa-sign rsa-verify rsa-verify?
   pkcs1-pad pkcs1-unpad)
  (import (scheme base) (chibi math prime)
          (only (chibi bytevector) bytevector->integer integer->bytevector))
  (include "rsa.scm"))
