package io.ballast.dns.forward;

import io.ballast.dns.forward.cache.AnswerCache;
import io.ballast.dns.forward.cache.AnswerReader;
import io.ballast.dns.forward.cache.AnswerScope;
import io.ballast.dns.forward.cache.CacheEntry;
import io.ballast.dns.forward.cache.CachedAnswer;
import io.ballast.dns.forward.cache.ParsedAnswer;
import io.ballast.dns.forward.cache.Signatures;
import io.ballast.dns.forward.filter.AnswerFilter;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.forward.snapshot.SavedAnswer;
import io.ballast.dns.forward.snapshot.SavedAnswer.SavedSubnet;
import io.ballast.dns.forward.snapshot.SnapshotReader;
import io.ballast.dns.forward.snapshot.SnapshotWriter;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Wire;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Saves the cache to a file and restores it. Restored answers are processed like responses that arrived at
 * the original time: their TTLs continue to count, and the current limits and rules apply. Failures, and
 * answers that were validated with other trust anchors, are not restored.
 *
 * <p>Thread safety: confined to one thread; queries are answered while it runs.
 */
final class CacheSnapshot {

    /** Time limit for saving. The most frequently used answers are saved first. */
    private static final long MAX_SAVING_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final AnswerCache cache;
    private final ForwardSettings settings;
    private final UpstreamGroups groups;
    private final AnswerFilter answerFilter;
    private final QueryName name;
    private final Clock clock;
    private final LongSupplier nanoTime;

    CacheSnapshot(
            AnswerCache cache,
            ForwardSettings settings,
            UpstreamGroups groups,
            NameHash hash,
            Clock clock,
            LongSupplier nanoTime) {
        this.cache = cache;
        this.settings = settings;
        this.groups = groups;
        this.answerFilter = new AnswerFilter(hash).setFilter(settings.filter());
        this.name = new QueryName(hash);
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    private String trustFingerprint() {
        return settings.validator() == null
                ? ""
                : settings.validator().anchors().fingerprint();
    }

    /** Writes the cached answers to the file; returns the number of written answers. */
    int save(Path file) throws IOException {
        Map<Integer, String> groupNames = groups.stableNames();
        long startNanos = nanoTime.getAsLong();
        long offsetMillis = clock.millis() - TimeUnit.NANOSECONDS.toMillis(startNanos);
        try (SnapshotWriter out = new SnapshotWriter(file, trustFingerprint())) {
            for (CachedAnswer each : cache.hottest()) {
                Question question = each.question();
                CacheEntry answer = each.answer();
                String group = groupNames.get(question.group());
                if (group == null || answer.isFailure()) {
                    continue;
                }
                if (nanoTime.getAsLong() - startNanos > MAX_SAVING_NANOS) {
                    break;
                }
                long receivedMillis = TimeUnit.NANOSECONDS.toMillis(answer.receivedNanos()) + offsetMillis;
                out.add(new SavedAnswer(
                        group,
                        question.flags(),
                        answer.isSecure(),
                        subnet(each),
                        receivedMillis,
                        answer.message(question)));
            }
            return out.finish();
        }
    }

    private static @Nullable SavedSubnet subnet(CachedAnswer cached) {
        AnswerScope scope = cached.scope();
        return scope == null
                ? null
                : new SavedSubnet(
                        scope.network(), scope.isExact(), cached.answer().scope());
    }

    /**
     * Loads the answers in the file that may still be served, until the cache is full. Returns the number of loaded
     * answers.
     */
    int restore(Path file) throws IOException {
        AnswerReader reader = new AnswerReader(settings.limits());
        int restored = 0;
        try (SnapshotReader in = new SnapshotReader(file)) {
            boolean hasSameTrustAnchors = in.trustFingerprint().equals(trustFingerprint());
            for (SavedAnswer saved = in.next(); saved != null && !cache.isFull(); saved = in.next()) {
                boolean isValidated = (saved.flags() & Question.VALIDATED) != 0;
                Integer group = groups.find(saved.group());
                if (group != null && (hasSameTrustAnchors || !isValidated) && restore(saved, group, reader)) {
                    restored++;
                }
            }
        }
        return restored;
    }

    private boolean restore(SavedAnswer saved, int group, AnswerReader reader) {
        long nowNanos = nanoTime.getAsLong();
        long ageMillis = clock.millis() - saved.receivedMillis();
        Question question = question(saved, group);
        if (question == null || ageMillis < 0) {
            return false; // a negative age means that the clock was set back, so the real age is unknown
        }
        long receivedNanos = nowNanos - TimeUnit.MILLISECONDS.toNanos(ageMillis);
        byte[] message = saved.message();
        ParsedAnswer parsed =
                reader.read(message, message.length, question, receivedNanos, answerFilter, signatures(saved));
        return parsed instanceof ParsedAnswer.Taken taken && cache.restore(cached(question, saved, taken), nowNanos);
    }

    private static CachedAnswer cached(Question question, SavedAnswer saved, ParsedAnswer.Taken taken) {
        SavedSubnet subnet = saved.subnet();
        return subnet == null
                ? new CachedAnswer(question, /* scope= */ null, taken.answer())
                : new CachedAnswer(
                        question,
                        new AnswerScope(subnet.network(), subnet.isExact()),
                        taken.answer().withScope(subnet.scope()));
    }

    private static Signatures signatures(SavedAnswer saved) {
        if ((saved.flags() & Question.VALIDATED) == 0) {
            return Signatures.UNVALIDATED;
        }
        return saved.isSecure() ? Signatures.secure(Integer.MAX_VALUE) : Signatures.INSECURE;
    }

    private @Nullable Question question(SavedAnswer saved, int group) {
        byte[] message = saved.message();
        int nameEnd = message.length < Wire.HEADER_BYTES ? -1 : name.read(message, Wire.HEADER_BYTES, message.length);
        if (nameEnd < 0 || nameEnd + 2 > message.length) {
            return null;
        }
        name.hash();
        return Question.of(name, Wire.u16(message, nameEnd), saved.flags(), group);
    }
}
