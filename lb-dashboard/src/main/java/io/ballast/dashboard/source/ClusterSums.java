package io.ballast.dashboard.source;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The counters of all nodes of a cluster, as one node knows them. Immutable.
 *
 * @param node this node
 * @param nodes the counters by the name of the node
 * @param missing the names of the nodes whose counters are not known, because they are not connected or send none
 */
public record ClusterSums(String node, SortedMap<String, NodeSum> nodes, List<String> missing) {

    public ClusterSums {
        nodes = new TreeMap<>(nodes);
        missing = List.copyOf(missing);
    }
}
