package io.ballast.dns.net;

import io.ballast.dns.answer.AnswerSettings;
import io.ballast.dns.answer.Answerer;
import io.ballast.dns.answer.PublishedAnswers;
import io.ballast.dns.stats.DnsStats;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes what each answering thread needs, with a shard of the counters and a random generator of its own.
 *
 * <p>Thread safety: confined to the thread that starts the frontend.
 */
public final class Answerers {

    private final PublishedAnswers answers;
    private final AnswerSettings settings;
    private final DnsStats stats;
    private final SecureRandom seeds = new SecureRandom();

    public Answerers(PublishedAnswers answers, AnswerSettings settings, DnsStats stats) {
        this.answers = answers;
        this.settings = settings;
        this.stats = stats;
    }

    /** What one thread needs. */
    public Answering next() {
        var shard = stats.newShard();
        SplittableRandom random = new SplittableRandom(seeds.nextLong());
        return new Answering(new Answerer(answers, settings, shard, random), shard);
    }

    /** What {@code count} threads need. */
    public List<Answering> next(int count) {
        List<Answering> next = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            next.add(next());
        }
        return next;
    }
}
