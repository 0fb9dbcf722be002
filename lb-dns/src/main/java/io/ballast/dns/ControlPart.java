package io.ballast.dns;

import io.ballast.core.config.DnsConfig;
import io.ballast.core.control.Background;
import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.ControlMessages;
import io.ballast.dns.control.ControlDesk;
import io.ballast.dns.control.ControlHandler;
import io.ballast.dns.control.TsigKeys;
import io.ballast.dns.stats.DnsStats;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a frontend does with messages that are more than plain queries.
 *
 * <p>Thread safety: prepared and closed by one thread at a time.
 */
final class ControlPart implements AutoCloseable {

    private final Background thread = Background.of("dns-control", /* most= */ 1);
    private final ControlDesk desk;

    ControlPart(ActiveAnswerConfig active, DnsStats stats) {
        SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
        this.desk = new ControlDesk(thread, active, stats.newShard(), random);
    }

    /**
     * Returns what takes such messages on; null if a configuration has neither keys nor handlers, so that they are answered like any
     * other.
     *
     * @throws IOException if the file of a secret cannot be used; the message says which
     */
    @Nullable ControlMessages prepare(DnsConfig config) throws IOException {
        TsigKeys keys = TsigKeys.of(config.control().keys(), Clock.systemUTC());
        List<ControlHandler> handlers = List.of();
        return keys.isEmpty() && handlers.isEmpty() ? null : desk.by(keys, handlers);
    }

    @Override
    public void close() {
        thread.close();
    }
}
