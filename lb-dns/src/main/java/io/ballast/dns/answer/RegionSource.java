package io.ballast.dns.answer;

import io.ballast.dns.dnssec.SetSigner;

/** Another source for each region of clients. Cost: one look-up of the client's address for a query. */
final class RegionSource extends AnswerSource {

    private final AnswerSource[] byRegion;
    private final int defaultRegion;

    /** @param defaultRegion the region of clients of which nothing is known */
    RegionSource(AnswerSource[] byRegion, int defaultRegion) {
        this.byRegion = byRegion;
        this.defaultRegion = defaultRegion;
    }

    @Override
    AnswerSource signed(SetSigner signer, int ttlSeconds) {
        return new RegionSource(signed(byRegion, signer, ttlSeconds), defaultRegion);
    }

    @Override
    Answer select(QueryContext context) {
        return byRegion[context.location().region(defaultRegion)].select(context);
    }
}
