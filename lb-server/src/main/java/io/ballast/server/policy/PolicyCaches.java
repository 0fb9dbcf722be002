package io.ballast.server.policy;

import io.ballast.dashboard.source.FlushResult;
import io.ballast.dashboard.source.HttpCaches;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.policy.PolicyRegistry;
import io.ballast.policy.cache.CachePolicy;
import java.util.List;
import java.util.NoSuchElementException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP caches of the active policies. Thread safety: any thread. */
public final class PolicyCaches implements HttpCaches {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyCaches.class);

    private final PolicyRegistry policies;

    public PolicyCaches(PolicyRegistry policies) {
        this.policies = policies;
    }

    @Override
    public FlushResult purge(Selection selection, String who) {
        List<CachePolicy> caches = policies.active().all().stream()
                .filter(policy -> selection.policy().map(policy.name()::equals).orElse(true))
                .map(NamedPolicy::policy)
                .filter(CachePolicy.class::isInstance)
                .map(CachePolicy.class::cast)
                .toList();
        if (caches.isEmpty()) {
            throw new NoSuchElementException(
                    selection.policy().map(name -> "there is no cache " + name).orElse("no cache is configured"));
        }
        int removed = caches.stream()
                .mapToInt(cache -> cache.purge(selection.url(), selection.tag()))
                .sum();
        LOG.info(
                "msg=\"removed responses from the cache\" responses={} cache={} url={} tag={} who=\"{}\"",
                removed,
                selection.policy().orElse("*"),
                selection.url().orElse("*"),
                selection.tag().orElse("*"),
                who);
        return FlushResult.of(removed);
    }
}
