package io.ballast.dns.zone.service;

import io.ballast.dns.answer.data.AnswerSource;
import io.ballast.dns.config.zone.WhenAllDown;
import io.ballast.dns.zone.contents.Ttl;
import io.ballast.dns.zone.pool.PoolView;
import io.ballast.dns.zone.service.TypeAnswers.Served;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.xbill.DNS.Record;

/**
 * The answer of a service with configured records while none of the records is healthy: the records of all
 * targets together. For aliases it is only the first record, because an alias has one target.
 */
final class RecordsAllDown implements AllDownAnswer {

    private final WhenAllDown policy;
    private final List<RecordsTarget> targets;
    private final WrittenRecords written;
    private List<Record> lastHealthyRecords = List.of();
    private List<Record> answeredRecords = List.of();

    /** @param targets all targets of the service that have records, in the order of preference */
    RecordsAllDown(WhenAllDown policy, List<RecordsTarget> targets, WrittenRecords written) {
        this.policy = policy;
        this.targets = List.copyOf(targets);
        this.written = written;
    }

    @Override
    public void remember(PoolView view) {
        if (policy == WhenAllDown.Simple.LAST_HEALTHY) {
            List<Record> counting = new ArrayList<>();
            targets.forEach(target -> counting.addAll(target.healthyRecords(view)));
            lastHealthyRecords = counting;
        }
    }

    @Override
    public String reason() {
        return "no backend is healthy; when_all_down: " + policy.toString().toLowerCase(Locale.ROOT);
    }

    @Override
    public Served compile(PoolView view, int ttlSeconds) {
        answeredRecords = records();
        if (policy == WhenAllDown.Simple.SERVFAIL) {
            return new Served(AnswerSource.servfail(), region -> List.of(), ttlSeconds);
        }
        if (answeredRecords.isEmpty()) {
            return Served.nothing(ttlSeconds);
        }
        int ttl = Math.min(ttlSeconds, Ttl.seconds(TTL));
        return new Served(written.answer(answeredRecords, ttl), region -> List.of(), ttl);
    }

    private List<Record> records() {
        if (policy == WhenAllDown.Simple.SERVFAIL || policy == WhenAllDown.Simple.NODATA) {
            return List.of();
        }
        List<Record> all = new ArrayList<>(lastHealthyRecords);
        if (all.isEmpty()) {
            targets.forEach(target -> all.addAll(target.records()));
        }
        List<Record> distinct = all.stream().distinct().toList();
        return written.isAlias() ? distinct.subList(0, 1) : distinct;
    }

    /** Returns the record data of the last compilation. */
    List<String> answer() {
        return answeredRecords.stream().map(Record::rdataToString).toList();
    }
}
