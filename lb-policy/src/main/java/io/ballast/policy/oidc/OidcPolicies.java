package io.ballast.policy.oidc;

import io.ballast.core.hash.SipHash24;
import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.config.oidc.OidcSecret;
import io.ballast.policy.oidc.OidcPolicy.Parts;
import io.ballast.policy.oidc.login.BrowserRequest;
import io.ballast.policy.oidc.login.Logins;
import io.ballast.policy.oidc.login.Logouts;
import io.ballast.policy.oidc.login.OidcCounters;
import io.ballast.policy.oidc.provider.UserTokens;
import io.ballast.policy.oidc.session.CookieCipher;
import io.ballast.policy.oidc.session.EndedSessions;
import io.ballast.policy.oidc.session.SessionCookies;
import io.ballast.policy.work.PolicyEnvironment;
import java.util.HexFormat;
import java.util.List;

/** Creates policies from their configuration. */
public final class OidcPolicies {

    private static final int SECRET_BYTES = 32;

    private OidcPolicies() {}

    /**
     * Creates a policy, which begins to download the discovery document at once.
     *
     * @param hash a hash function with a random key
     */
    public static OidcPolicy create(OidcConfig config, PolicyEnvironment environment, SipHash24 hash) {
        return create(config, environment, hash, UserTokens.start(config, environment));
    }

    /** Creates a policy with the given deadline of requests to the provider. */
    static OidcPolicy create(OidcConfig config, PolicyEnvironment environment, SipHash24 hash, UserTokens tokens) {
        CookieCipher cipher = new CookieCipher(secrets(config, environment), environment.random());
        RefreshTable refreshes = environment.shared().get(RefreshTable.class, RefreshTable::new);
        SessionCookies sessions = new SessionCookies(config, cipher, hash, environment.millis(), refreshes::confirm);
        EndedSessions ended = environment.shared().get(EndedSessions.class, EndedSessions::new);
        BrowserRequest browser = new BrowserRequest(config.pages());
        OidcCounters counters = new OidcCounters();
        Logins logins = new Logins(
                config, tokens, sessions, cipher, browser, counters, environment.millis(), environment.random());
        Logouts logouts = new Logouts(config, tokens, sessions, ended, counters, environment.millis());
        Parts parts = new Parts(tokens, sessions, ended, refreshes, browser, logins, logouts, counters);
        return new OidcPolicy(config, parts, environment.millis());
    }

    /** Returns the configured secrets; if there are none, a secret that lasts as long as the policy. */
    private static List<OidcSecret> secrets(OidcConfig config, PolicyEnvironment environment) {
        if (!config.cookie().secrets().isEmpty()) {
            return config.cookie().secrets();
        }
        byte[] drawn = new byte[SECRET_BYTES];
        environment.random().nextBytes(drawn);
        return List.of(new OidcSecret(HexFormat.of().formatHex(drawn)));
    }
}
