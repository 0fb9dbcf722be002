package io.ballast.policy.rate;

import io.ballast.policy.config.Rate;
import io.ballast.policy.config.RequestRateConfig;
import java.util.stream.Collectors;

/** The text that identifies a limit that nodes share: its name, and the settings that must be equal. Stateless. */
final class LimitIdentity {

    private LimitIdentity() {}

    static String of(String name, RequestRateConfig config) {
        return name
                + "\nrates " + config.rates().stream().map(LimitIdentity::text).collect(Collectors.joining(" "))
                + "\nkey " + config.key() + ' ' + config.missing() + ' ' + config.ipv6PrefixBits()
                + "\nresponses " + config.countedStatuses().stream().sorted().toList();
    }

    private static String text(Rate rate) {
        return rate.count() + "/" + rate.period().toMillis() + "ms burst " + rate.burst();
    }
}
