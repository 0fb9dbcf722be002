package io.ballast.policy.compress;

import io.ballast.core.stats.Counters;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.TestBackend;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.CompressionConfig;
import java.util.Base64;
import java.util.Random;

/** Balancers with a compression policy. */
final class CompressionSetup {

    private static final int LOOPS = 2;

    private CompressionSetup() {}

    static NamedPolicy policy(CompressionConfig config) {
        return new NamedPolicy(
                "pack",
                config.kind(),
                new CompressionPolicy(config, LOOPS),
                /* dryRun= */ false,
                new Counters<>(PolicyCounter.class, LOOPS));
    }

    static NamedPolicy gzip() {
        return policy(CompressionConfig.gzip());
    }

    static BalancerSetup before(TestBackend backend, NamedPolicy policy) {
        return BalancerSetup.on(TransportKind.NIO).loops(LOOPS).backend(backend).policies(policy);
    }

    static long count(NamedPolicy policy, CompressionOutcome outcome) {
        Long count = policy.policy().responses().get(outcome.label());
        return count == null ? -1 : count;
    }

    /** Returns text that compresses only to three quarters, so that it exceeds the buffers of sockets. */
    static String denseText(int length) {
        byte[] bytes = new byte[length / 4 * 3];
        new Random(7).nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Returns text that compresses to about a third; the same for each call. */
    static String text(int length) {
        Random random = new Random(7);
        StringBuilder text = new StringBuilder(length);
        while (text.length() < length) {
            text.append("word").append(random.nextInt(1000)).append(' ');
        }
        text.setLength(length);
        return text.toString();
    }
}
