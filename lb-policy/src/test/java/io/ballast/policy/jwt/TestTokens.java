package io.ballast.policy.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import java.nio.charset.StandardCharsets;

/** Signs tokens with arbitrary headers and claims. */
public final class TestTokens {

    public static final ECKey OLD_KEY = key("old");
    public static final ECKey NEW_KEY = key("new");

    /** The time of tests, in seconds since 1970. */
    public static final long NOW = 1_900_000_000;

    /** A header that matches {@link #OLD_KEY}. */
    public static final String HEADER = "{\"alg\":\"ES256\",\"kid\":\"old\"}";

    private TestTokens() {}

    private static ECKey key(String id) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns claims that are valid for one hour, with further members such as {@code "a":1}. */
    public static String claims(String... members) {
        StringBuilder claims =
                new StringBuilder("{\"iss\":\"https://id.example\",\"aud\":\"api\",\"exp\":" + (NOW + 3600));
        for (String member : members) {
            claims.append(',').append(member);
        }
        return claims.append('}').toString();
    }

    /** Returns a token that is signed with {@link #OLD_KEY}. */
    public static String signed(String claims) {
        return signed(OLD_KEY, HEADER, claims);
    }

    /** Returns a token that is signed with ES256. */
    public static String signed(ECKey key, String header, String claims) {
        try {
            return signed(new ECDSASigner(key), JWSAlgorithm.ES256, header, claims);
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a token with a signature of this algorithm, regardless of the header. */
    public static String signed(JWSSigner signer, JWSAlgorithm algorithm, String header, String claims) {
        String content = Base64URL.encode(header) + "." + Base64URL.encode(claims);
        try {
            return content + "." + signer.sign(new JWSHeader(algorithm), content.getBytes(StandardCharsets.US_ASCII));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
