package io.ballast.dns.zone.service;

import io.ballast.core.balance.Member;
import io.ballast.dns.answer.data.AddressFamily;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.zone.pool.PoolAddresses;
import java.util.List;

/** Creates the leaf targets of a service, with addresses of one address family. */
record AddressLeaves(AddressFamily family, Cursors cursors) implements Targets.Leaves {

    @Override
    public Target of(TargetConfig leaf) {
        return leaf instanceof TargetConfig.OfName alias
                ? new AliasTarget(alias, family, cursors.next())
                : new PoolTarget((TargetConfig.OfPool) leaf, family, cursors.next());
    }

    @Override
    public List<Member> members(PoolAddresses pool) {
        return pool.everyTier(family).members();
    }
}
