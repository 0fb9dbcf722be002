package io.ballast.dns.config.forward;

import io.ballast.core.net.Cidr;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A builder that copies a {@link DnsForwardConfig} with changed options. Confined to one thread. */
public final class DnsForwardConfigBuilder {

    private DnsForwardConfig.Upstream upstream;
    private List<Cidr> clients;
    private Duration timeout;
    private Duration retryAfter;
    private int outstanding;
    private boolean randomCase;
    private List<DnsForwardConfig.Route> routes;
    private Optional<DnsCacheConfig> cache;
    private Optional<DnsFilterConfig> filter;
    private DnsPolicyConfig policy;
    private DnsValidationConfig dnssec;
    private Optional<String> privatePtr;

    DnsForwardConfigBuilder(DnsForwardConfig from) {
        this.upstream = from.upstream();
        this.clients = from.clients();
        this.timeout = from.timeout();
        this.retryAfter = from.retryAfter();
        this.outstanding = from.outstanding();
        this.randomCase = from.randomCase();
        this.routes = from.routes();
        this.cache = from.cache();
        this.filter = from.filter();
        this.policy = from.policy();
        this.dnssec = from.dnssec();
        this.privatePtr = from.privatePtr();
    }

    public DnsForwardConfigBuilder upstream(DnsForwardConfig.Upstream upstream) {
        this.upstream = upstream;
        return this;
    }

    public DnsForwardConfigBuilder clients(List<Cidr> clients) {
        this.clients = clients;
        return this;
    }

    public DnsForwardConfigBuilder timeout(Duration timeout) {
        this.timeout = timeout;
        return this;
    }

    public DnsForwardConfigBuilder retryAfter(Duration retryAfter) {
        this.retryAfter = retryAfter;
        return this;
    }

    public DnsForwardConfigBuilder outstanding(int outstanding) {
        this.outstanding = outstanding;
        return this;
    }

    public DnsForwardConfigBuilder randomCase(boolean randomCase) {
        this.randomCase = randomCase;
        return this;
    }

    public DnsForwardConfigBuilder routes(List<DnsForwardConfig.Route> routes) {
        this.routes = routes;
        return this;
    }

    public DnsForwardConfigBuilder cache(Optional<DnsCacheConfig> cache) {
        this.cache = cache;
        return this;
    }

    public DnsForwardConfigBuilder filter(Optional<DnsFilterConfig> filter) {
        this.filter = filter;
        return this;
    }

    public DnsForwardConfigBuilder policy(DnsPolicyConfig policy) {
        this.policy = policy;
        return this;
    }

    public DnsForwardConfigBuilder dnssec(DnsValidationConfig dnssec) {
        this.dnssec = dnssec;
        return this;
    }

    public DnsForwardConfigBuilder privatePtr(Optional<String> privatePtr) {
        this.privatePtr = privatePtr;
        return this;
    }

    public DnsForwardConfig build() {
        return new DnsForwardConfig(
                upstream,
                clients,
                timeout,
                retryAfter,
                outstanding,
                randomCase,
                routes,
                cache,
                filter,
                policy,
                dnssec,
                privatePtr);
    }
}
