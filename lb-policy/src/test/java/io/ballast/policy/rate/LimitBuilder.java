package io.ballast.policy.rate;

import io.ballast.core.net.Cidr;
import io.ballast.policy.config.LimitKey;
import io.ballast.policy.config.Rate;
import io.ballast.policy.config.RequestRateConfig;
import io.ballast.policy.config.RequestRateConfig.Ban;
import io.ballast.policy.config.RequestRateConfig.Headers;
import io.ballast.policy.config.RequestRateConfig.MissingKey;
import io.ballast.policy.config.RequestRateConfig.OnFull;
import io.ballast.policy.config.RequestRateConfig.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Builds limits for tests. By default, a limit permits two requests an hour for each client. */
final class LimitBuilder {

    static final Rate TWO_PER_HOUR = new Rate(2, Duration.ofHours(1));

    private List<Rate> rates = List.of(TWO_PER_HOUR);
    private List<LimitKey> key = List.of(LimitKey.CLIENT);
    private MissingKey missing = MissingKey.CLIENT;
    private List<Cidr> exempt = List.of();
    private Set<Integer> statuses = Set.of();
    private Optional<Ban> ban = Optional.empty();
    private Duration delay = Duration.ZERO;
    private Headers headers = Headers.NONE;
    private OnFull onFull = OnFull.ALLOW;
    private Scope scope = Scope.NODE;

    LimitBuilder rates(Rate... all) {
        rates = List.of(all);
        return this;
    }

    LimitBuilder key(MissingKey ifMissing, LimitKey... parts) {
        missing = ifMissing;
        key = List.of(parts);
        return this;
    }

    LimitBuilder exempt(Cidr network) {
        exempt = List.of(network);
        return this;
    }

    /** Counts responses with this status, instead of requests. */
    LimitBuilder counting(int status) {
        statuses = Set.of(status);
        return this;
    }

    LimitBuilder ban(Ban bans) {
        ban = Optional.of(bans);
        return this;
    }

    LimitBuilder delay(Duration max) {
        delay = max;
        return this;
    }

    LimitBuilder headers(Headers sent) {
        headers = sent;
        return this;
    }

    LimitBuilder onFull(OnFull other) {
        onFull = other;
        return this;
    }

    LimitBuilder scope(Scope all) {
        scope = all;
        return this;
    }

    RequestRateConfig build() {
        return new RequestRateConfig(
                rates,
                key,
                missing,
                exempt,
                statuses,
                ban,
                /* keys= */ 100,
                onFull,
                delay,
                headers,
                /* ipv6PrefixBits= */ 64,
                scope);
    }
}
