package io.ballast.dns.answer;

import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.learn.KnownNetworks;
import io.ballast.dns.learn.Network;

/**
 * The source that is best for the client's network, where times are known; else another. Cost: one look-up in a hash
 * table.
 */
final class LearnedSource extends AnswerSource {

    private final KnownNetworks networks;
    private final byte[] best;
    private final AnswerSource[] sources;

    /**
     * @param best by the place of a network, which of {@code sources} is best for it
     * @param sources as the first one, that of networks of which nothing is known
     */
    LearnedSource(KnownNetworks networks, byte[] best, AnswerSource[] sources) {
        this.networks = networks;
        this.best = best;
        this.sources = sources;
    }

    @Override
    AnswerSource signed(SetSigner signer, int ttlSeconds) {
        return new LearnedSource(networks, best, signed(sources, signer, ttlSeconds));
    }

    @Override
    Answer select(QueryContext context) {
        ClientLocation client = context.location();
        int place = KnownNetworks.UNKNOWN;
        if (!client.isNowhere()) {
            boolean ipv4 = client.isIpv4();
            int bits = ipv4 ? Network.IPV4_BITS : Network.IPV6_BITS;
            client.dependsOn(bits);
            place = networks.find(Network.of(ipv4, client.prefix(bits)));
        }
        return sources[place == KnownNetworks.UNKNOWN ? 0 : best[place]].select(context);
    }
}
