package io.ballast.dns.zone.service;

import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.explain.ExplainedTarget;
import io.ballast.dns.explain.ExplainedTarget.ExplainedRecord;
import io.ballast.dns.zone.pool.PoolAddresses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The answers of a service with configured records of one type. Thread safety: confined to the compiler thread.
 */
final class RecordAnswers extends TypeAnswers {

    private final RecordsAllDown allDown;

    RecordAnswers(ServiceConfig config, int type, Target target, RecordsAllDown allDown) {
        super(config, type, target, allDown);
        this.allDown = allDown;
    }

    @Override
    List<String> answer(ExplainedClient who, ExplainedTarget explained) {
        if (!explained.used()) {
            return allDown.answer();
        }
        List<String> answer = new ArrayList<>();
        collect(explained, answer);
        return answer.stream().distinct().toList();
    }

    private static void collect(ExplainedTarget target, List<String> answer) {
        target.records().stream()
                .filter(record -> target.used() && record.used())
                .map(ExplainedRecord::data)
                .forEach(answer::add);
        target.targets().forEach(inside -> collect(inside, answer));
    }

    @Override
    Duration stableFor(PoolAddresses pool) {
        return pool.stableFor();
    }
}
