package io.ballast.acme.order;

import io.ballast.acme.challenge.ChallengeResponse;
import io.ballast.core.ErrorText;
import io.ballast.net.tls.TlsIdentity;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.List;
import org.shredzone.acme4j.Identifier;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.challenge.Dns01Challenge;
import org.shredzone.acme4j.challenge.Http01Challenge;
import org.shredzone.acme4j.challenge.TlsAlpn01Challenge;

/** Computes the responses to challenges. Stateless. */
final class ChallengeResponses {

    private ChallengeResponses() {}

    /** @param name the verified name, without {@code *.} */
    static ChallengeResponse of(Challenge challenge, String name) throws IOException, OrderException {
        if (challenge instanceof Http01Challenge http) {
            return new ChallengeResponse.HttpFile(name, http.getToken(), http.getAuthorization());
        }
        if (challenge instanceof Dns01Challenge dns) {
            return new ChallengeResponse.TextRecord(name, dns.getDigest());
        }
        if (challenge instanceof TlsAlpn01Challenge tls) {
            KeyPair key = newKey();
            return new ChallengeResponse.Handshake(
                    name, new TlsIdentity(key.getPrivate(), List.of(tls.createCertificate(key, Identifier.dns(name)))));
        }
        throw new OrderException("the CA offers an unknown challenge " + challenge.getType());
    }

    /** Returns an RSA key, because acme4j can sign the certificate of a challenge only with RSA. */
    private static KeyPair newKey() throws IOException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(/* keysize= */ 2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot create a key: " + ErrorText.reason(e), e);
        }
    }
}
