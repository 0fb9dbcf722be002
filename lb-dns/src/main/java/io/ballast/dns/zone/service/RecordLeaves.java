package io.ballast.dns.zone.service;

import io.ballast.core.balance.Member;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.zone.pool.PoolAddresses;
import java.util.ArrayList;
import java.util.List;

/** Creates the targets that consist of configured records, and lists them in order of creation. */
final class RecordLeaves implements Targets.Leaves {

    private final WrittenRecords written;
    private final List<RecordsTarget> createdTargets = new ArrayList<>();

    RecordLeaves(WrittenRecords written) {
        this.written = written;
    }

    @Override
    public Target of(TargetConfig leaf) {
        RecordsTarget target = new RecordsTarget((TargetConfig.OfRecords) leaf, written);
        createdTargets.add(target);
        return target;
    }

    @Override
    public List<Member> members(PoolAddresses pool) {
        return pool.usable();
    }

    List<RecordsTarget> createdTargets() {
        return createdTargets;
    }
}
