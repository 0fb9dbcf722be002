package io.ballast.acme.challenge;

import io.ballast.net.tls.TlsIdentity;

/** A response to a challenge, which proves to the certificate authority (CA) that the server controls a name. */
public sealed interface ChallengeResponse {

    /** The verified name, without {@code *.}. */
    String name();

    /**
     * The content of a file below {@code /.well-known/acme-challenge/} (RFC 8555 section 8.3).
     *
     * @param token the name of the file: characters of base64url
     * @param keyAuthorization its content: ASCII
     */
    record HttpFile(String name, String token, String keyAuthorization) implements ChallengeResponse {}

    /**
     * A TXT record at {@code _acme-challenge} below the name (RFC 8555 section 8.4).
     *
     * @param digest the text of the record
     */
    record TextRecord(String name, String digest) implements ChallengeResponse {}

    /**
     * A certificate for handshakes with the protocol {@code acme-tls/1} (RFC 8737).
     *
     * @param identity the self-signed certificate that contains the response
     */
    record Handshake(String name, TlsIdentity identity) implements ChallengeResponse {}
}
