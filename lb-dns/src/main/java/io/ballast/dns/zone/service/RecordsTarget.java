package io.ballast.dns.zone.service;

import io.ballast.core.backend.HealthStatus;
import io.ballast.core.balance.Member;
import io.ballast.dns.answer.data.Answer;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.config.zone.TargetConfig.ConditionalRecord;
import io.ballast.dns.explain.ExplainedTarget;
import io.ballast.dns.explain.ExplainedTarget.ExplainedBackend;
import io.ballast.dns.explain.ExplainedTarget.ExplainedRecord;
import io.ballast.dns.zone.pool.PoolView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Record;

/**
 * Configured records that are served while their backends are healthy. Thread safety: confined to the
 * compiler.
 */
final class RecordsTarget extends Target {

    private final WrittenRecords written;
    private final List<Written> records;
    private List<Record> answeredRecords = List.of();
    private int answeredTtl;
    private @Nullable Answer answer;

    private record Written(Record record, ConditionalRecord condition) {

        /**
         * Returns the backends of the record's condition: at least one of them must be healthy. Empty if there is no
         * condition.
         */
        List<Member> requiredMembers(List<Member> members) {
            return members.stream()
                    .filter(member -> condition.backend().isEmpty()
                            || condition.backend().get().equals(member.backend().address()))
                    .toList();
        }

        boolean isHealthy(PoolView view) {
            return condition.pool().isEmpty()
                    || !requiredMembers(view.addresses(condition.pool().get()).usable())
                            .isEmpty();
        }
    }

    /** @throws IllegalArgumentException if the configured data of a record cannot be parsed */
    RecordsTarget(TargetConfig.OfRecords config, WrittenRecords written) {
        super(config.thresholds());
        this.written = written;
        this.records = config.records().stream()
                .map(each -> new Written(written.parse(each.data()), each))
                .toList();
    }

    /** Returns all records of the target. */
    List<Record> records() {
        return records.stream().map(Written::record).toList();
    }

    /** Returns the records that are healthy now. */
    List<Record> healthyRecords(PoolView view) {
        return records.stream()
                .filter(each -> each.isHealthy(view))
                .map(Written::record)
                .distinct()
                .toList();
    }

    @Override
    CompiledTarget compileNow(PoolView view, int ttlSeconds) {
        List<Record> counting = healthyRecords(view);
        int total = (int) records.stream()
                .filter(each -> each.condition().pool().isEmpty())
                .count();
        int healthy = total;
        for (Written each : records) {
            if (each.condition().pool().isPresent()) {
                String pool = each.condition().pool().get();
                healthy += each.requiredMembers(view.addresses(pool).usable()).size();
                total += each.requiredMembers(view.addresses(pool).inService()).size();
            }
        }
        return counting.isEmpty()
                ? CompiledTarget.nothing(total)
                : new CompiledTarget(answer(counting, ttlSeconds), region -> List.of(), healthy, total);
    }

    /**
     * Returns the same answer object until its records or TTL change, so that each answer is signed only once.
     */
    private Answer answer(List<Record> counting, int ttlSeconds) {
        Answer present = answer;
        if (present == null || ttlSeconds != answeredTtl || !counting.equals(answeredRecords)) {
            present = written.answer(counting, ttlSeconds);
            answer = present;
            answeredRecords = counting;
            answeredTtl = ttlSeconds;
        }
        return present;
    }

    @Override
    ExplainedTarget explain(String role, boolean used, ExplainedClient client, PoolView view) {
        List<ExplainedRecord> explained = new ArrayList<>();
        for (Written each : records) {
            boolean counts = each.isHealthy(view);
            String data = each.record().rdataToString();
            explained.add(new ExplainedRecord(data, counts ? "up" : "down", condition(each), used && counts));
        }
        return new ExplainedTarget(
                "records",
                role,
                state(),
                used,
                lastCompiled().hasAnswer() ? "the records whose backends are healthy" : "no backend is healthy",
                List.of(),
                backends(used, view),
                explained);
    }

    private static String condition(Written each) {
        ConditionalRecord condition = each.condition();
        if (condition.pool().isEmpty()) {
            return "always";
        }
        return condition
                        .backend()
                        .map(address -> "backend " + address + " of pool ")
                        .orElse("pool ")
                + condition.pool().get();
    }

    private List<ExplainedBackend> backends(boolean used, PoolView view) {
        Set<Member> needed = new LinkedHashSet<>();
        for (Written each : records) {
            each.condition()
                    .pool()
                    .ifPresent(pool -> needed.addAll(
                            each.requiredMembers(view.addresses(pool).all())));
        }
        List<ExplainedBackend> backends = new ArrayList<>();
        for (Member member : needed) {
            HealthStatus health = member.backend().health();
            boolean counts = used && health.state().isUsable();
            backends.add(new ExplainedBackend(
                    member.backend().address().toString(), health.state().label(), health.reason(), counts));
        }
        return backends;
    }
}
