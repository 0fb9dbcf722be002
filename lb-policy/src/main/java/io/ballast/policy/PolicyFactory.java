package io.ballast.policy;

import io.ballast.http.policy.Policy;
import io.ballast.policy.address.AddressListPolicy;
import io.ballast.policy.apikey.ApiKeyPolicy;
import io.ballast.policy.basic.BasicPolicy;
import io.ballast.policy.breaker.CircuitBreakerPolicy;
import io.ballast.policy.cache.CachePolicy;
import io.ballast.policy.certificate.ClientCertificatePolicy;
import io.ballast.policy.compress.CompressionPolicy;
import io.ballast.policy.concurrency.ConcurrencyPolicy;
import io.ballast.policy.concurrency.PoolConcurrencyPolicy;
import io.ballast.policy.config.AddressListConfig;
import io.ballast.policy.config.ApiKeysConfig;
import io.ballast.policy.config.BasicConfig;
import io.ballast.policy.config.CacheConfig;
import io.ballast.policy.config.CircuitBreakerRule;
import io.ballast.policy.config.ClientCertificateConfig;
import io.ballast.policy.config.CompressionConfig;
import io.ballast.policy.config.ConcurrencyConfig;
import io.ballast.policy.config.CorsConfig;
import io.ballast.policy.config.FilterConfig;
import io.ballast.policy.config.ForwardAuthConfig;
import io.ballast.policy.config.MirrorConfig;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.PolicyRule;
import io.ballast.policy.config.PoolConcurrencyRule;
import io.ballast.policy.config.RequestRateConfig;
import io.ballast.policy.config.SecurityHeadersConfig;
import io.ballast.policy.config.TracingConfig;
import io.ballast.policy.config.jwt.JwtConfig;
import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.cors.CorsPolicy;
import io.ballast.policy.filter.FilterPolicy;
import io.ballast.policy.filter.RunningFilter;
import io.ballast.policy.forward.ForwardAuthPolicy;
import io.ballast.policy.headers.SecurityHeadersPolicy;
import io.ballast.policy.jwt.JwtPolicies;
import io.ballast.policy.mirror.MirrorPolicy;
import io.ballast.policy.oidc.OidcPolicies;
import io.ballast.policy.rate.RateLimitPolicy;
import io.ballast.policy.tracing.TracingPolicy;
import io.ballast.policy.work.PolicyEnvironment;

/** Creates policies from their configuration. */
final class PolicyFactory {

    private final PolicyEnvironment environment;

    PolicyFactory(PolicyEnvironment environment) {
        this.environment = environment;
    }

    Policy create(PolicyConfig config) {
        PolicyRule rule = config.rule();
        if (rule instanceof RequestRateConfig limit) {
            if (limit.scope() == RequestRateConfig.Scope.CLUSTER) {
                return RateLimitPolicy.shared(config.name(), limit, environment.limits(), environment.nanoTime());
            }
            return new RateLimitPolicy(limit, environment.randomHash(), environment.nanoTime());
        }
        if (rule instanceof AddressListConfig list) {
            return new AddressListPolicy(list, environment);
        }
        if (rule instanceof BasicConfig basic) {
            return new BasicPolicy(basic, environment);
        }
        if (rule instanceof ApiKeysConfig keys) {
            return new ApiKeyPolicy(keys);
        }
        if (rule instanceof ClientCertificateConfig certificate) {
            return new ClientCertificatePolicy(certificate);
        }
        if (rule instanceof ForwardAuthConfig auth) {
            return new ForwardAuthPolicy(auth, environment.nanoTime());
        }
        if (rule instanceof CorsConfig cors) {
            return new CorsPolicy(cors);
        }
        if (rule instanceof SecurityHeadersConfig headers) {
            return new SecurityHeadersPolicy(headers);
        }
        if (rule instanceof JwtConfig jwt) {
            return JwtPolicies.create(jwt, environment, environment.randomHash());
        }
        if (rule instanceof ConcurrencyConfig limit) {
            return new ConcurrencyPolicy(limit, environment.randomHash(), environment.nanoTime());
        }
        if (rule instanceof PoolConcurrencyRule pool) {
            return new PoolConcurrencyPolicy(
                    pool.limit(), environment.nanoTime().getAsLong());
        }
        if (rule instanceof CircuitBreakerRule breaker) {
            return new CircuitBreakerPolicy(
                    breaker, environment.events(), environment.nanoTime().getAsLong());
        }
        if (rule instanceof CompressionConfig compression) {
            return new CompressionPolicy(compression, environment.eventLoops());
        }
        if (rule instanceof TracingConfig tracing) {
            return new TracingPolicy(tracing, environment.traces());
        }
        if (rule instanceof MirrorConfig mirror) {
            return new MirrorPolicy(mirror, environment.eventLoops());
        }
        if (rule instanceof OidcConfig oidc) {
            return OidcPolicies.create(oidc, environment, environment.randomHash());
        }
        if (rule instanceof FilterConfig filter) {
            return new FilterPolicy(filter, RunningFilter.create(filter, environment));
        }
        if (rule instanceof CacheConfig cache) {
            return new CachePolicy(cache, environment, environment.randomHash());
        }
        throw new IllegalArgumentException("no policy for " + rule.kind());
    }
}
