package io.ballast.acme.config;

import io.ballast.core.Checks;
import java.net.URI;
import java.util.List;

/**
 * Certificates that are ordered when a client asks for their name.
 *
 * @param ask an HTTP URL that permits or refuses a name
 * @param ordersPerHour the maximum number of these orders in any hour; 1 to {@value #MAX_ORDERS_PER_HOUR}
 * @param issuers the names of the issuers in order of preference; all issuers if empty
 */
public record OnDemandConfig(URI ask, int ordersPerHour, List<String> issuers) {

    public static final int DEFAULT_ORDERS_PER_HOUR = 30;

    /** Let's Encrypt allows 300 orders of an account in three hours. */
    public static final int MAX_ORDERS_PER_HOUR = 1_000;

    public OnDemandConfig {
        boolean isHttp = "http".equalsIgnoreCase(ask.getScheme()) || "https".equalsIgnoreCase(ask.getScheme());
        Checks.that(
                isHttp && ask.getHost() != null && ask.getRawFragment() == null,
                "ask",
                ask,
                "an http:// or https:// URL with a host");
        Checks.between(ordersPerHour, 1, MAX_ORDERS_PER_HOUR, "orders_per_hour");
        issuers = List.copyOf(issuers);
    }
}
