package io.ballast.config.keys.policy;

import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.policy.config.AddressListConfig;
import io.ballast.policy.config.ApiKeysConfig;
import io.ballast.policy.config.BasicConfig;
import io.ballast.policy.config.CacheConfig;
import io.ballast.policy.config.ClientCertificateConfig;
import io.ballast.policy.config.CombinationConfig;
import io.ballast.policy.config.CombinationConfig.Mode;
import io.ballast.policy.config.CompressionConfig;
import io.ballast.policy.config.ConcurrencyConfig;
import io.ballast.policy.config.CorsConfig;
import io.ballast.policy.config.FilterConfig;
import io.ballast.policy.config.ForwardAuthConfig;
import io.ballast.policy.config.MirrorConfig;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.PolicyRule;
import io.ballast.policy.config.RequestRateConfig;
import io.ballast.policy.config.SecurityHeadersConfig;
import io.ballast.policy.config.TracingConfig;
import io.ballast.policy.config.jwt.JwtConfig;
import io.ballast.policy.config.oidc.OidcConfig;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The keys of {@code policies.NAME}. */
public final class PolicyKeys {

    private static final ShapeBuilder<PolicyConfig> KEYS = Shape.named(
            "policy",
            "A policy limits, authenticates, answers, traces or copies HTTP requests, or changes their responses. Listeners,"
                    + " routes and pools name the policies that apply to their requests under `policies`; they share the"
                    + " state of a policy, such as its counters.");

    private static final Key<RequestRateConfig> RATE_LIMIT = KEYS.optional(
            "rate_limit",
            RequestRateKeys.RATE_LIMIT,
            "limits the request rate of each client, or of another key",
            rule(RequestRateConfig.class));
    private static final Key<AddressListConfig> IP = KEYS.optional(
            "ip", AddressListKeys.IP, "allows and denies clients by address", rule(AddressListConfig.class));
    private static final Key<BasicConfig> BASIC = KEYS.optional(
            "basic",
            BasicKeys.BASIC,
            "authenticates users by name and password (HTTP Basic authentication)",
            rule(BasicConfig.class));
    private static final Key<ApiKeysConfig> API_KEYS = KEYS.optional(
            "api_keys", ApiKeysKeys.API_KEYS, "authenticates requests by API keys", rule(ApiKeysConfig.class));
    private static final Key<ClientCertificateConfig> CLIENT_CERT = KEYS.optional(
            "client_cert",
            ClientCertificatePolicyKeys.CLIENT_CERT,
            "authenticates clients by their certificates (mutual TLS)",
            rule(ClientCertificateConfig.class));
    private static final Key<CombinationConfig> ANY = KEYS.optional(
            "any",
            CombinationKeys.ANY,
            "names of authentication policies, in the order of their evaluation; one of them must pass; if none passes,"
                    + " the last one answers",
            combination(Mode.ANY));
    private static final Key<CombinationConfig> ALL = KEYS.optional(
            "all",
            CombinationKeys.ALL,
            "names of authentication policies that must all pass, in the order of their evaluation; the last one"
                    + " determines the identity",
            combination(Mode.ALL));
    private static final Key<ForwardAuthConfig> FORWARD_AUTH = KEYS.optional(
            "forward_auth",
            ForwardAuthKeys.FORWARD_AUTH,
            "asks an authentication server about each request",
            rule(ForwardAuthConfig.class));
    private static final Key<CorsConfig> CORS =
            KEYS.optional("cors", CorsKeys.CORS, "lets pages of other origins use responses", rule(CorsConfig.class));
    private static final Key<SecurityHeadersConfig> SECURITY_HEADERS = KEYS.optional(
            "security_headers",
            SecurityHeadersKeys.SECURITY_HEADERS,
            "adds security headers for browsers to all responses",
            rule(SecurityHeadersConfig.class));
    private static final Key<JwtConfig> JWT =
            KEYS.optional("jwt", JwtKeys.JWT, "requires a valid JSON Web Token", rule(JwtConfig.class));
    private static final Key<OidcConfig> OIDC =
            KEYS.optional("oidc", OidcKeys.OIDC, "lets users log in at an OpenID provider", rule(OidcConfig.class));
    private static final Key<ConcurrencyConfig> CONCURRENCY = KEYS.optional(
            "concurrency",
            ConcurrencyKeys.CONCURRENCY,
            "limits the concurrent requests of each client, or of another key",
            rule(ConcurrencyConfig.class));
    private static final Key<CompressionConfig> COMPRESS =
            KEYS.optional("compress", CompressionKeys.COMPRESS, "compresses responses", rule(CompressionConfig.class));
    private static final Key<TracingConfig> TRACING = KEYS.optional(
            "tracing", TracingKeys.TRACING, "traces requests (W3C Trace Context)", rule(TracingConfig.class));
    private static final Key<MirrorConfig> MIRROR = KEYS.optional(
            "mirror",
            MirrorKeys.MIRROR,
            "sends a copy of a share of the requests to another pool",
            rule(MirrorConfig.class));
    private static final Key<FilterConfig> FILTER = KEYS.optional(
            "filter",
            FilterKeys.FILTER,
            "runs a filter in Java, which may answer requests and change headers",
            rule(FilterConfig.class));
    private static final Key<CacheConfig> CACHE =
            KEYS.optional("cache", CacheKeys.CACHE, "stores responses in memory", rule(CacheConfig.class));
    private static final Key<Boolean> DRY_RUN = KEYS.optional(
            "dry_run",
            Scalars.BOOLEAN,
            /* fallback= */ false,
            "true: the policy is evaluated and counted, but refuses no request",
            PolicyConfig::dryRun);

    private static final List<Key<? extends PolicyRule>> KINDS = List.of(
            RATE_LIMIT,
            CONCURRENCY,
            IP,
            BASIC,
            API_KEYS,
            CLIENT_CERT,
            JWT,
            FORWARD_AUTH,
            OIDC,
            ANY,
            ALL,
            CORS,
            SECURITY_HEADERS,
            COMPRESS,
            TRACING,
            MIRROR,
            FILTER,
            CACHE);

    static {
        KEYS.exactlyOne(KINDS.toArray(Key[]::new));
    }

    public static final Type<PolicyConfig> POLICY = KEYS.build(PolicyKeys::build);

    private PolicyKeys() {}

    private static <R extends PolicyRule> Function<PolicyConfig, Optional<R>> rule(Class<R> type) {
        return policy -> Optional.of(policy.rule()).filter(type::isInstance).map(type::cast);
    }

    private static Function<PolicyConfig, Optional<CombinationConfig>> combination(Mode mode) {
        return rule(CombinationConfig.class).andThen(rule -> rule.filter(found -> found.mode() == mode));
    }

    private static PolicyConfig build(Values values) {
        Key<? extends PolicyRule> kind =
                KINDS.stream().filter(values::has).findFirst().orElseThrow();
        return new PolicyConfig(values.name(), values.get(kind), values.get(DRY_RUN));
    }
}
