package io.ballast.dns.config;

import java.util.List;

/**
 * DNS cookies, with which clients prove that they receive packets at their address.
 *
 * @param enabled whether cookies are used
 * @param secrets the first creates cookies, all verify them; empty for a random one that changes with every start
 */
public record CookieConfig(boolean enabled, List<CookieSecret> secrets) {

    public static final CookieConfig DEFAULT = new CookieConfig(true, List.of());

    public CookieConfig {
        secrets = List.copyOf(secrets);
    }
}
