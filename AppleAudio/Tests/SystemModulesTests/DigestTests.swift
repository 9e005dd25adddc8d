// Digests of data against those of the functions' standards.
// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import Foundation
import Testing

struct DigestTests {
  @Test func knownDigests() {
    let abc = Data("abc".utf8)
    #expect(Insecure.MD5.hash(data: abc).description == "900150983cd24fb0d6963f7d28e17f72")
    #expect(
      Insecure.SHA1.hash(data: abc).description == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(
      SHA256.hash(data: abc).description
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(Insecure.MD5.hash(data: Data()).description == "d41d8cd98f00b204e9800998ecf8427e")
  }

  @Test(arguments: [55, 56, 63, 64, 65, 1_000]) func piecesAreOneMessage(_ count: Int) {
    let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
    var (md5, sha) = (Insecure.MD5(), SHA256())
    for byte in data {
      md5.update(data: [byte])
      sha.update(data: [byte])
    }
    #expect(md5.finalize() == Insecure.MD5.hash(data: data))
    #expect(Array(sha.finalize()) == Array(SHA256.hash(data: data)))
    #expect(SHA256.hash(data: data) != SHA256.hash(data: data.dropLast()))
  }
}
