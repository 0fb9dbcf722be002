package io.ballast.dns.config;

import java.util.List;

/**
 * DNS cookies, by which clients prove that they receive what is sent to their address.
 *
 * @param enabled whether they are answered
 * @param secrets the first makes cookies, all of them verify; none for a random one, new with every start
 */
public record CookieConfig(boolean enabled, List<CookieSecret> secrets) {

    public static final CookieConfig DEFAULT = new CookieConfig(true, List.of());

    public CookieConfig {
        secrets = List.copyOf(secrets);
    }
}
