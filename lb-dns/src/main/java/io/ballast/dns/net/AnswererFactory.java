package io.ballast.dns.net;

import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.AnswerConfig;
import io.ballast.dns.answer.AnswerSettings;
import io.ballast.dns.answer.Answerer;
import io.ballast.dns.answer.data.PublishedAnswers;
import io.ballast.dns.querylog.QueryLog;
import io.ballast.dns.stats.DnsStats;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Creates the context of each answering thread, with a shard of the counters and a random generator. The
 * context of a thread that ends is reused, so that repeated replacement of listeners creates no additional
 * contexts.
 *
 * <p>Thread safety: any thread may call it.
 */
public final class AnswererFactory {

    private final ActiveAnswerConfig activeConfig;
    private final DnsStats stats;
    private final @Nullable QueryLog log;
    private final Queue<AnswerContext> freeContexts = new ConcurrentLinkedQueue<>();
    private final SecureRandom seedGenerator = new SecureRandom();

    /** Creates a factory for a constant configuration. */
    public AnswererFactory(PublishedAnswers answers, AnswerSettings settings, DnsStats stats) {
        this(new ActiveAnswerConfig(new AnswerConfig(answers, settings)), stats);
    }

    public AnswererFactory(ActiveAnswerConfig active, DnsStats stats) {
        this(active, stats, /* log= */ null);
    }

    /** @param log query log that receives answered queries; null if queries are not logged */
    public AnswererFactory(ActiveAnswerConfig active, DnsStats stats, @Nullable QueryLog log) {
        this.activeConfig = active;
        this.stats = stats;
        this.log = log;
    }

    /** Returns a new or a reused context. */
    public synchronized AnswerContext acquire() {
        AnswerContext given = freeContexts.poll();
        if (given != null) {
            return given;
        }
        var shard = stats.newShard();
        SplittableRandom random = new SplittableRandom(seedGenerator.nextLong());
        Answerer answerer = new Answerer(activeConfig, shard, random, log == null ? null : log.recorder());
        return new AnswerContext(answerer, shard, freeContexts::add);
    }

    /** Makes unused contexts release their reference to an inactive configuration. */
    public synchronized void releaseInactiveConfig() {
        freeContexts.forEach(AnswerContext::releaseInactiveConfig);
    }

    /** Returns {@code count} contexts. */
    public List<AnswerContext> acquire(int count) {
        List<AnswerContext> next = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            next.add(acquire());
        }
        return next;
    }
}
