package io.ballast.policy.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.hash.SipHash24;
import io.ballast.http.policy.Identity;
import io.ballast.policy.jwt.key.VerificationKey;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TokenCacheTest {

    private static final long EXPIRES = 1000;
    private static final VerificationKey KEY = VerificationKey.ofSecret(new byte[32]);

    private final TokenCache<VerifiedToken> cache = new TokenCache<>(16, new SipHash24(1, 2));

    private static VerifiedToken token(long expires) {
        return new VerifiedToken(KEY, expires, /* permits= */ true, Identity.UNKNOWN, new byte[0]);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private @Nullable VerifiedToken find(String text, long now) {
        byte[] request = bytes("GET / " + text + "\r\n");
        return cache.find(request, 6, request.length - 2, now);
    }

    @Test
    void findsTheSameTextOnly() {
        String text = "header.claims." + "s".repeat(86);
        VerifiedToken token = token(EXPIRES);
        cache.put(bytes(text), token, 0);

        assertThat(find(text, 0)).isSameAs(token);
        assertThat(find("Header.claims." + "s".repeat(86), 0)).isNull(); // the hash covers only the end of a token
        assertThat(find(text + "s", 0)).isNull();
        assertThat(find(text.substring(1), 0)).isNull();
        for (int i = 0; i < text.length(); i++) {
            byte[] changed = bytes(text);
            changed[i] ^= 1;
            assertThat(cache.find(changed, 0, changed.length, 0)).isNull();
        }
    }

    @Test
    void tokenEndsAtItsTime() {
        cache.put(bytes("token"), token(EXPIRES), 0);

        assertThat(find("token", EXPIRES - 1)).isNotNull();
        assertThat(find("token", EXPIRES)).isNull();
    }

    @Test
    void newerEntryReplacesTheSameText() {
        cache.put(bytes("token"), token(EXPIRES), 0);
        VerifiedToken newer = token(EXPIRES);
        cache.put(bytes("token"), newer, 0);

        assertThat(find("token", 0)).isSameAs(newer);
    }

    @Test
    void sizeIsBounded() {
        for (int i = 0; i < 10_000; i++) {
            cache.put(bytes("token" + i), token(EXPIRES + i), 0);
        }
        int kept = 0;
        for (int i = 0; i < 10_000; i++) {
            kept += find("token" + i, 0) == null ? 0 : 1;
        }

        assertThat(kept).isEqualTo(16);
        assertThat(find("token9999", 0)).isNotNull();
    }

    @Test
    void expiredTokensAreReplacedFirst() {
        TokenCache<VerifiedToken> one = new TokenCache<>(8, new SipHash24(1, 2));
        for (int i = 0; i < 7; i++) {
            one.put(bytes("long" + i), token(10_000), 0);
        }
        one.put(bytes("short"), token(EXPIRES), 0);
        one.put(bytes("new"), token(5000), EXPIRES);

        for (int i = 0; i < 7; i++) {
            byte[] text = bytes("long" + i);
            assertThat(one.find(text, 0, text.length, EXPIRES)).isNotNull();
        }
        assertThat(one.find(bytes("new"), 0, 3, EXPIRES)).isNotNull();
    }
}
