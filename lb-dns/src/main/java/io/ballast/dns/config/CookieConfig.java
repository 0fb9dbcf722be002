package io.ballast.dns.config;

import java.util.List;

/**
 * DNS cookies, which prove that a client receives packets at its address.
 *
 * @param enabled whether cookies are used
 * @param secrets the first secret creates cookies, all secrets verify them; if empty, every start of the
 *     process creates a random secret
 */
public record CookieConfig(boolean enabled, List<CookieSecret> secrets) {

    public static final CookieConfig DEFAULT = new CookieConfig(/* enabled= */ true, List.of());
    public static final CookieConfig OFF = new CookieConfig(/* enabled= */ false, List.of());

    public CookieConfig {
        secrets = List.copyOf(secrets);
    }
}
