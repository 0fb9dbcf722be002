package io.ballast.dns.answer.data;

import io.ballast.dns.dnssec.SetSigner;

/** Selects a source by the client's region. Cost: one lookup of the client's address per query. */
final class RegionSource extends AnswerSource {

    private final AnswerSource[] byRegion;
    private final int defaultRegion;

    /** @param defaultRegion region of clients whose region is unknown */
    RegionSource(AnswerSource[] byRegion, int defaultRegion) {
        this.byRegion = byRegion;
        this.defaultRegion = defaultRegion;
    }

    @Override
    AnswerSource signed(SetSigner signer, int ttlSeconds) {
        return new RegionSource(signed(byRegion, signer, ttlSeconds), defaultRegion);
    }

    @Override
    public Answer select(QueryContext context) {
        return byRegion[context.location().region(defaultRegion)].select(context);
    }
}
