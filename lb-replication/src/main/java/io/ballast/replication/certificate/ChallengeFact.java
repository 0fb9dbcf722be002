package io.ballast.replication.certificate;

import io.ballast.acme.challenge.ChallengeResponse;
import io.ballast.net.tls.PemText;
import io.ballast.net.tls.TlsIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;

/**
 * A response to a challenge that all nodes serve. Immutable.
 *
 * @param until the end of the response, if it is not withdrawn before
 */
record ChallengeFact(ChallengeResponse response, Instant until) {

    /** @throws IOException if a certificate cannot be encoded */
    String encode() throws IOException {
        FactDocument document;
        if (response instanceof ChallengeResponse.HttpFile file) {
            document = new FactDocument("")
                    .with("type", "http-01")
                    .with("token", file.token())
                    .with("content", file.keyAuthorization());
        } else if (response instanceof ChallengeResponse.TextRecord record) {
            document = new FactDocument("").with("type", "dns-01").with("text", record.digest());
        } else if (response instanceof ChallengeResponse.Handshake handshake) {
            document = new FactDocument(pem(handshake.identity())).with("type", "tls-alpn-01");
        } else {
            throw new IOException("unknown challenge " + response);
        }
        return document.with("name", response.name()).with("until", until).encode();
    }

    private static String pem(TlsIdentity identity) throws IOException {
        try {
            return PemText.of(identity.key()) + PemText.of(identity.chain());
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot encode the certificate of a challenge", e);
        }
    }

    /** @throws IllegalArgumentException if the text has an unknown form */
    static ChallengeFact decode(String text) {
        FactDocument document = FactDocument.parse(text);
        String name = document.text("name");
        ChallengeResponse response =
                switch (document.text("type")) {
                    case "http-01" ->
                        new ChallengeResponse.HttpFile(name, document.text("token"), document.text("content"));
                    case "dns-01" -> new ChallengeResponse.TextRecord(name, document.text("text"));
                    case "tls-alpn-01" -> new ChallengeResponse.Handshake(name, identity(name, document.body()));
                    default -> throw new IllegalArgumentException("unknown challenge " + document.text("type"));
                };
        return new ChallengeFact(response, document.time("until"));
    }

    private static TlsIdentity identity(String name, String pem) {
        try {
            return TlsIdentity.parse(Path.of(name), pem);
        } catch (IOException e) {
            throw new IllegalArgumentException("no certificate for the challenge", e);
        }
    }
}
