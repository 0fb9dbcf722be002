package io.ballast.dns.follow;

import io.ballast.core.backend.Backend;
import io.ballast.dns.answer.data.AddressFamily;
import io.ballast.dns.answer.forwarded.ForwardedSource;
import io.ballast.dns.forward.ForwarderSnapshot;
import io.ballast.dns.forward.QueryWaiter;
import io.ballast.dns.forward.Upstream;
import io.ballast.dns.forward.cache.CacheEntry;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;

/**
 * Resolves alias targets through this process's forwarder, with its event loops, upstreams, connections,
 * deadlines and validation. Suffix routes apply. Routes that are limited to some clients do not apply,
 * because there is no client.
 *
 * <p>The forwarder's cache is bypassed: a cached answer would have only half of its TTL left at the next
 * lookup. Allowed client networks and filter lists do not apply, because they concern clients. The lookups
 * need no query permit ({@link io.ballast.dns.forward.QueryPermits}), so that a query flood cannot cut
 * services off from their addresses. {@link LookupScheduler} limits the lookups instead.
 *
 * <p>Thread safety: any thread may call it.
 */
public final class ForwarderResolver implements AddressLookup {

    private static final LookupResult.Failed FORWARDING_DISABLED =
            new LookupResult.Failed("dns.forward is no longer configured");

    private final NameHash hash;
    private final Executor executor;
    private volatile @Nullable ForwardedSource source;

    /**
     * @param hash hash function for query names
     * @param executor executor that parses answers
     */
    public ForwarderResolver(NameHash hash, Executor executor) {
        this.hash = hash;
        this.executor = executor;
    }

    /** Sets the forwarder; null to stop lookups. */
    public void source(@Nullable ForwardedSource next) {
        source = next;
    }

    @Override
    public void lookUp(String name, AddressFamily family, Consumer<LookupResult> to) {
        ForwardedSource present = source;
        if (present == null) {
            to.accept(FORWARDING_DISABLED);
            return;
        }
        ForwarderSnapshot forwarding = present.forwarding();
        QueryName parsed = new QueryName(hash);
        byte[] wire;
        try {
            wire = Name.fromString(name, Name.root).toWireCanonical();
        } catch (TextParseException e) {
            to.accept(new LookupResult.Failed("'" + name + "' is not a domain name"));
            return;
        }
        parsed.read(wire, 0, wire.length);
        parsed.hash();
        Upstream upstream = forwarding.routes().find(parsed, /* high= */ 0, /* low= */ 0);
        int flags = forwarding.settings().flags(/* isDnssecOk= */ false, /* isCheckingDisabled= */ false);
        Question question = Question.of(parsed, family.type(), flags | Question.UNCACHED, upstream.group());
        try {
            present.loops()
                    .loopFor(question)
                    .forwarder()
                    .resolve(
                            question,
                            upstream,
                            forwarding.settings().withoutCacheAndFilter(),
                            new PendingLookup(question, to));
        } catch (RejectedExecutionException e) {
            to.accept(new LookupResult.Failed("the event loop for lookups has stopped"));
        }
    }

    /** A lookup that waits for its answer, which is parsed on the executor. */
    private final class PendingLookup implements QueryWaiter {

        private final Question question;
        private final Consumer<LookupResult> resultConsumer;

        PendingLookup(Question question, Consumer<LookupResult> to) {
            this.question = question;
            this.resultConsumer = to;
        }

        @Override
        public void onAnswer(CacheEntry answer, @Nullable Backend by) {
            executor.execute(() -> resultConsumer.accept(LookupResultParser.read(question, answer)));
        }

        @Override
        public void onStale(CacheEntry answer) {
            onFailure(); // a stale answer is not newer than the addresses that are already known
        }

        @Override
        public void onFailure() {
            resultConsumer.accept(new LookupResult.Failed("no resolver answered in time"));
        }
    }
}
