package io.ballast.dns.config;

import io.ballast.core.Checks;
import java.util.List;

/**
 * The settings of zone transfers and signed messages.
 *
 * @param keys TSIG keys with distinct names
 * @param transfers the maximum number of concurrent zone transfers; further transfers are refused
 */
public record DnsControlConfig(List<TsigKeyConfig> keys, int transfers) {

    public static final int DEFAULT_TRANSFERS = 10;
    public static final int MAX_TRANSFERS = 1000;
    public static final DnsControlConfig DEFAULT = new DnsControlConfig(List.of(), DEFAULT_TRANSFERS);

    public DnsControlConfig {
        keys = List.copyOf(keys);
        Checks.between(transfers, 1, MAX_TRANSFERS, "transfers");
    }
}
