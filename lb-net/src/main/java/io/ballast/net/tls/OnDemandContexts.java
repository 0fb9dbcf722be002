package io.ballast.net.tls;

import io.ballast.core.ErrorText;
import io.ballast.core.config.TlsFiles;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates of a listener for hosts that no configured certificate covers. A handshake waits until the
 * certificate of its host is found, at most {@value #MAX_WAIT_SECONDS} s.
 *
 * <p>Bounds: {@value #MAX_CONTEXTS} certificates in memory; the oldest one is removed first. A removed certificate is
 * read again when a client needs it. At most {@value #MAX_WAITING} handshakes wait.
 *
 * <p>Thread safety: event loops call {@link #find}; one thread at a time calls the other methods.
 */
final class OnDemandContexts {

    static final int MAX_CONTEXTS = 1_000;
    static final int MAX_WAITING = 1_000;
    static final int MAX_WAIT_SECONDS = 8;

    /** A removed context is released after this number of refreshes, when no handshake can use it any more. */
    private static final int REFRESHES_UNTIL_RELEASE = 10;

    /** The number of refreshes between two checks whether certificates must be renewed. */
    private static final int REFRESHES_PER_RENEWAL = 20;

    private static final Logger LOG = LoggerFactory.getLogger(OnDemandContexts.class);

    private final Supplier<HostCertificates> source;
    private final Opener opener;
    private final Bounds bounds;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private final Deque<String> order = new ArrayDeque<>();
    private final List<Removed> removed = new ArrayList<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private int refreshes;
    private boolean closed;

    /** Creates the context of a certificate. */
    @FunctionalInterface
    interface Opener {
        TlsContext open(TlsFiles files) throws IOException;
    }

    private static final class Entry {
        private final TlsContext context;
        private volatile boolean isUsed = true;

        Entry(TlsContext context) {
            this.context = context;
        }
    }

    /**
     * @param contexts the maximum number of certificates in memory
     * @param waiting the maximum number of handshakes that wait
     */
    record Bounds(int contexts, int waiting) {

        static final Bounds DEFAULT = new Bounds(MAX_CONTEXTS, MAX_WAITING);
    }

    private record Removed(TlsContext context, int refresh) {}

    OnDemandContexts(Supplier<HostCertificates> source, Opener opener, Bounds bounds) {
        this.source = source;
        this.opener = opener;
        this.bounds = bounds;
    }

    /**
     * Finds the context of a host.
     *
     * @param loop the event loop of the connection
     * @return a future that never fails; its value is null if the host has no certificate in time
     */
    Future<@Nullable TlsContext> find(String host, EventExecutor loop) {
        Entry entry = entries.get(host);
        if (entry != null && !entry.context.isOutOfDate()) {
            if (!entry.isUsed) {
                entry.isUsed = true;
            }
            return loop.newSucceededFuture(entry.context);
        }
        HostCertificates certificates = source.get();
        CompletableFuture<Optional<TlsFiles>> found = certificates.find(host);
        if (found.isDone() && found.join().isEmpty()) {
            return loop.newSucceededFuture(null);
        }
        if (waiting.incrementAndGet() > bounds.waiting) {
            waiting.decrementAndGet();
            return loop.newSucceededFuture(null);
        }
        Promise<@Nullable TlsContext> result = loop.newPromise();
        Future<?> timeout = loop.schedule(() -> result.trySuccess(null), MAX_WAIT_SECONDS, TimeUnit.SECONDS);
        result.addListener(done -> {
            waiting.decrementAndGet();
            timeout.cancel(/* mayInterruptIfRunning= */ false);
        });
        CompletableFuture<@Nullable TlsContext> unused =
                openLater(host, found, certificates).whenComplete((context, failure) -> result.trySuccess(context));
        return result;
    }

    private CompletableFuture<@Nullable TlsContext> openLater(
            String host, CompletableFuture<Optional<TlsFiles>> found, HostCertificates certificates) {
        try {
            return found.thenApplyAsync(
                    files -> files.isPresent() ? open(host, files.get()) : null, certificates.executor());
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(null);
        }
    }

    private synchronized @Nullable TlsContext open(String host, TlsFiles files) {
        Entry present = entries.get(host);
        if (closed || (present != null && !present.context.isOutOfDate())) {
            return closed || present == null ? null : present.context;
        }
        try {
            TlsContext context = opener.open(files);
            if (context.isOutOfDate()) {
                context.close();
                return null;
            }
            remove(host);
            if (order.size() >= bounds.contexts) {
                remove(order.getFirst());
            }
            entries.put(host, new Entry(context));
            order.addLast(host);
            return context;
        } catch (IOException e) {
            LOG.warn("host={} msg=\"cannot use a certificate\" reason=\"{}\"", host, ErrorText.of(e));
            return null;
        }
    }

    private void remove(String host) {
        Entry entry = entries.remove(host);
        if (entry != null) {
            order.remove(host);
            removed.add(new Removed(entry.context, refreshes));
        }
    }

    /** The contexts in memory. */
    synchronized List<TlsContext> contexts() {
        return entries.values().stream().map(entry -> entry.context).toList();
    }

    /**
     * Reloads changed files, removes the contexts of deleted files, and renews certificates that clients use. Called
     * once a second.
     */
    synchronized void refresh() {
        refreshes++;
        boolean renews = refreshes % REFRESHES_PER_RENEWAL == 0;
        for (Map.Entry<String, Entry> each : entries.entrySet()) {
            Entry entry = each.getValue();
            if (!Files.exists(entry.context.source().certificate())) {
                remove(each.getKey());
                continue;
            }
            entry.context.tryRefresh();
            if (renews && entry.isUsed) {
                entry.isUsed = false;
                source.get().renewIfDue(each.getKey(), entry.context.identity().certificate());
            }
        }
        for (Iterator<Removed> all = removed.iterator(); all.hasNext(); ) {
            Removed each = all.next();
            if (refreshes - each.refresh >= REFRESHES_UNTIL_RELEASE) {
                each.context.close();
                all.remove();
            }
        }
    }

    /** Releases all contexts. */
    synchronized void close() {
        closed = true;
        entries.values().forEach(entry -> entry.context.close());
        removed.forEach(each -> each.context.close());
        entries.clear();
        order.clear();
        removed.clear();
    }
}
