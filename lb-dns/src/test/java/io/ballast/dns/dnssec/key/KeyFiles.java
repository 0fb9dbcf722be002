package io.ballast.dns.dnssec.key;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Key files of other tools: the examples of RFC 6605 section 6.1 and RFC 8080 section 6.1. */
final class KeyFiles {

    static final String ECDSA_ZONE = "example.net";
    static final String ECDSA_NAME = "Kexample.net.+013+55648";
    static final String ECDSA_PRIVATE = """
            Private-key-format: v1.2
            Algorithm: 13 (ECDSAP256SHA256)
            PrivateKey: GU6SnQ/Ou+xC5RumuIUIuJZteXT2z0O/ok1s38Et6mQ=
            """;
    static final String ECDSA_PUBLIC = """
            ; This is a key-signing key, keyid 55648, for example.net.
            example.net. 3600 IN DNSKEY 257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edb krSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==
            """;
    static final String ED25519_ZONE = "example.com";
    static final String ED25519_NAME = "Kexample.com.+015+03613";
    static final String ED25519_PRIVATE = """
            Private-key-format: v1.3
            Algorithm: 15 (ED25519)
            PrivateKey: ODIyNjAzODQ2MjgwODAxMjI2NDUxOTAyMDQxNDIyNjI=
            Created: 20260101000000
            Publish: 20260102000000
            Activate: 20260103000000
            """;
    static final String ED25519_PUBLIC =
            "example.com. IN DNSKEY 257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=\n";

    private KeyFiles() {}

    static KeyDirectory ecdsa(Path dataDir) throws IOException {
        return write(dataDir, ECDSA_ZONE, ECDSA_NAME, ECDSA_PRIVATE, ECDSA_PUBLIC);
    }

    static KeyDirectory ed25519(Path dataDir) throws IOException {
        return write(dataDir, ED25519_ZONE, ED25519_NAME, ED25519_PRIVATE, ED25519_PUBLIC);
    }

    static KeyDirectory write(Path dataDir, String zone, String name, String privateText, String publicText)
            throws IOException {
        KeyDirectory directory = new KeyDirectory(dataDir, zone);
        Files.createDirectories(directory.path());
        Files.writeString(directory.path().resolve(name + ".private"), privateText);
        Files.writeString(directory.path().resolve(name + ".key"), publicText);
        return directory;
    }
}
