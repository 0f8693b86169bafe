;;; (chibi crypto sha2): sums of other programs.
(import (scheme base) (chibi crypto sha2) (chibi-bridge test))

(test-begin "sha2")

(test "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f"
      (sha-224 (make-string 0 #\x)))
(test "54a2f7f92a5f975d8096af77a126edda7da60c5aa872ef1b871701ae"
      (sha-224 (make-string 1 #\x)))
(test "1e75647b457de7b041b0bd786ac94c3ab53cf3b85243fbe8e97506db"
      (sha-224 (make-string 3 #\x)))
(test "ea087f5604b75fd211de7136939cd8b674e9a674907d5bed79c03733"
      (sha-224 (make-string 54 #\x)))
(test "2791c7d25712eb5be75c30b2d45f6fce96e5a50ee64cf373056704a3"
      (sha-224 (make-string 55 #\x)))
(test "82199913c2712c46707ad08c8bfa2a69f68e9092dc5cdfaaaf07d77f"
      (sha-224 (make-string 56 #\x)))
(test "b775289f809e2e1921a2c092ca091f72f4b0a63d62865e073c243e56"
      (sha-224 (make-string 57 #\x)))
(test "57176f335e39202a5454db924c660af77ec98a91f35706d9f57d7398"
      (sha-224 (make-string 63 #\x)))
(test "08c3050e95fe11eacb9dc7824bf6a92bcf2d59c21701321fba0e62c5"
      (sha-224 (make-string 64 #\x)))
(test "b14ef0fefbdb3c42af0d9b42709410c66506d0ed003cd65463a8f96b"
      (sha-224 (make-string 65 #\x)))
(test "d75fd32c9a5ddf823b9f5b99b5170d51f8d9103d1436b5996c62b504"
      (sha-224 (make-string 119 #\x)))
(test "39d41dac408a2db1463e7077b115776faa2a395bdec3293f6ec98cc9"
      (sha-224 (make-string 120 #\x)))
(test "4328cf4d227d10ab6dab5f02c7905cd583b2fcaf0be9a7ab9da5c692"
      (sha-224 (make-string 128 #\x)))
(test "3ef8bae4a84311d748956ef862adec84a5745f44618cb3909def1e13"
      (sha-224 (make-string 200 #\x)))
(test "ab5d351ce2df73c29c8795d1c786107909fd122b9eccacd23bc7b4ca" (sha-224 "日本"))
(test "ae128b6b4c2c50f5cc9684e64dfa2784fa5f83b698d50b78bf48ea58" (sha-224 #u8(1 2 200)))
(test "ae128b6b4c2c50f5cc9684e64dfa2784fa5f83b698d50b78bf48ea58"
      (sha-224 (open-input-bytevector #u8(1 2 200))))
(test "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7" (sha-224 (open-input-string "abc")))
(test-error (sha-224 1))
(test "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
      (sha-256 (make-string 0 #\x)))
(test "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
      (sha-256 (make-string 1 #\x)))
(test "cd2eb0837c9b4c962c22d2ff8b5441b7b45805887f051d39bf133b583baf6860"
      (sha-256 (make-string 3 #\x)))
(test "45f316e10b2c99abf374b22bda893cf3300d77263f1e272349ed414680522952"
      (sha-256 (make-string 54 #\x)))
(test "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072"
      (sha-256 (make-string 55 #\x)))
(test "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e"
      (sha-256 (make-string 56 #\x)))
(test "ae14a2563ccf969d99aca69ce6bb74981f734bbf9f655f73b8f06db68cab5217"
      (sha-256 (make-string 57 #\x)))
(test "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2"
      (sha-256 (make-string 63 #\x)))
(test "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c"
      (sha-256 (make-string 64 #\x)))
(test "9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9"
      (sha-256 (make-string 65 #\x)))
(test "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c"
      (sha-256 (make-string 119 #\x)))
(test "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98"
      (sha-256 (make-string 120 #\x)))
(test "24da1b81d0b16df6428eee73c69fcb2a93c76bc6df706f0c6670fe6bfe800464"
      (sha-256 (make-string 128 #\x)))
(test "aa20c23e3201834050679e1d88941b9a6fed0557c9a705cb2c315e2e63fd486d"
      (sha-256 (make-string 200 #\x)))
(test "cf2abf0c5be326cb922a70f8163f91079c4d9aa8655c60ead89ad545c9de2e92" (sha-256 "日本"))
(test "27a1109c054c8debff585bbc139d1a27008154815620439cbf30fb4475724bde" (sha-256 #u8(1 2 200)))
(test "27a1109c054c8debff585bbc139d1a27008154815620439cbf30fb4475724bde"
      (sha-256 (open-input-bytevector #u8(1 2 200))))
(test "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" (sha-256 (open-input-string "abc")))
(test-error (sha-256 1))

(test-end)
(test-exit)
