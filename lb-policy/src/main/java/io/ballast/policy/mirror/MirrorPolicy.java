package io.ballast.policy.mirror;

import io.ballast.http.head.ByteClasses;
import io.ballast.http.mirror.Mirror;
import io.ballast.http.mirror.MirrorOutcome;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.config.MirrorConfig;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Mirrors a share of the requests to another pool. It lets every request pass, and does not mirror requests that were
 * mirrored before.
 *
 * <p>Thread safety: one object serves all event loops without locks.
 */
public final class MirrorPolicy implements Policy {

    private static final byte[] MARK = ByteClasses.ascii(Mirror.HEADER.toLowerCase(Locale.ROOT));

    private final MirrorConfig config;
    private final Mirror mirror;

    /** @param eventLoops the number of event loops */
    public MirrorPolicy(MirrorConfig config, int eventLoops) {
        this.config = config;
        this.mirror = new Mirror(config.maxBodyBytes(), config.maxInFlight(), config.timeout(), eventLoops);
    }

    @Override
    public Phase phase() {
        return Phase.MIRROR;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        if (exchange.worker().random().nextInt(MirrorConfig.MAX_SHARE) >= config.share()) {
            return PolicyDecision.PASS;
        }
        if (exchange.request().headerLine(MARK, 0) >= 0) {
            mirror.count(MirrorOutcome.SKIPPED_MIRRORED, exchange.loop());
        } else {
            exchange.copyRequest(mirror.copy(exchange.worker(), exchange.targetPool(step), exchange.generation()));
        }
        return PolicyDecision.PASS;
    }

    @Override
    public String targetPool() {
        return config.pool();
    }

    @Override
    public List<String> requestHeaders() {
        return List.of(Mirror.HEADER);
    }

    @Override
    public Map<String, Long> responses() {
        return mirror.outcomes();
    }
}
