package io.ballast.dashboard.document;

import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.source.OrderedCertificate;
import io.netty.buffer.ByteBuf;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Writes the certificates that are ordered by ACME. */
public final class OrderedJson {

    /** Certificates with an error come first; both groups are sorted by the time of the next order. */
    private static final Comparator<OrderedCertificate> ORDER = Comparator.comparing(
                    (OrderedCertificate each) -> each.error().isEmpty())
            .thenComparing(OrderedCertificate::nextOrder)
            .thenComparing(OrderedCertificate::name);

    private OrderedJson() {}

    /**
     * Writes a page of the certificates: certificates with an error first, then sorted by the time of the next order.
     *
     * @param orderingNode the node that orders for all nodes of a cluster, if there is one
     * @param offset the number of certificates to skip
     * @param limit the maximum number of certificates on the page
     */
    public static ByteBuf page(
            List<OrderedCertificate> configured,
            List<OrderedCertificate> onDemand,
            Optional<String> orderingNode,
            int offset,
            int limit) {
        return JsonWriter.write(json -> json.object(() -> {
            json.field("total", configured.size() + onDemand.size());
            json.field("on_demand", onDemand.size());
            orderingNode.ifPresent(node -> json.field("ordered_by", node));
            json.array(
                    "certificates",
                    () -> Stream.concat(configured.stream(), onDemand.stream())
                            .sorted(ORDER)
                            .skip(offset)
                            .limit(limit)
                            .forEach(each -> json.object(() -> fields(json, each))));
        }));
    }

    private static void fields(JsonWriter json, OrderedCertificate each) {
        json.field("name", each.name());
        each.issuer().ifPresent(issuer -> json.field("issuer", issuer));
        json.field("on_demand", each.isOnDemand());
        each.notAfter().ifPresent(time -> json.field("not_after", time.toString()));
        json.field("next_order", each.nextOrder().toString());
        each.lastSuccess().ifPresent(time -> json.field("last_success", time.toString()));
        json.field("failures", each.failures());
        each.error().ifPresent(reason -> json.field("error", reason));
    }
}
