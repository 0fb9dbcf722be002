package io.ballast.http.serving;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.balance.SessionTokens;
import io.ballast.core.balance.Strategies;
import io.ballast.core.balance.Strategy;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.route.request.TestRequest;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class StickySessionTokenTest {

    private static final int MAX_BATCHES = 5_000;
    private static final byte[] COOKIE = "sid".getBytes(StandardCharsets.US_ASCII);

    private final List<Member> members = Backends.members(3);
    private final Backend own = members.get(1).backend();
    private final Strategy strategy = Strategies.create(StrategyConfig.of(StrategyKind.STICKY));
    private final SessionTokens tokens = requireNonNull(strategy.tokens());
    private final StickySessionToken session = new StickySessionToken();

    @Test
    void roundTripsToken() {
        String token = token(own);

        for (String text : List.of(token, token.toUpperCase(Locale.ROOT))) {
            session.begin(request("sid=" + text), COOKIE, tokens);

            assertThat(session.high()).isEqualTo(tokens.high(own));
            assertThat(session.low()).isEqualTo(tokens.low(own));
            assertThat(session.needsCookie(own)).isFalse();
            assertThat(session.needsCookie(members.get(0).backend())).isTrue();
        }
    }

    @Test
    void rejectsInvalidToken() {
        for (String text : List.of("", "1", token(own) + "0", token(own).substring(1) + "x", "-".repeat(32))) {
            session.begin(request("sid=" + text), COOKIE, tokens);

            assertThat(session.high() | session.low()).as(text).isZero();
            assertThat(session.needsCookie(own)).isTrue();
        }
    }

    @Test
    void poolWithoutStickySessionsHasNoToken() {
        session.begin(request("sid=" + token(own)), COOKIE, tokens);

        session.clear();

        assertThat(session.high() | session.low()).isZero();
        assertThat(session.needsCookie(own)).isFalse();
    }

    @Test
    void parseAndCompareAllocateNothing() {
        assumeTrue(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean, "this JVM does not count allocations");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        RoutedRequest request = request("a=b; sid=" + token(own) + "; c=d");
        long min = Long.MAX_VALUE;

        for (int batch = 0; batch < MAX_BATCHES && min > 0; batch++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            int needed = 0;
            for (int i = 0; i < 1000; i++) {
                session.begin(request, COOKIE, tokens);
                needed += session.needsCookie(own) ? 1 : 0;
            }
            min = Math.min(min, threads.getCurrentThreadAllocatedBytes() - before);
            assertThat(needed).isZero();
        }

        assertThat(min).isZero();
    }

    private String token(Backend backend) {
        session.begin(request("a=b"), COOKIE, tokens);
        ByteAppender text = new ByteAppender();
        session.append(backend, text);
        return new String(text.bytes(), 0, text.length(), StandardCharsets.US_ASCII);
    }

    private static RoutedRequest request(String cookies) {
        return TestRequest.get("a", "/").header("Cookie", cookies);
    }
}
