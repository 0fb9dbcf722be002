package io.ballast.cluster.observation;

/**
 * A row of the {@link ObservationBoard}. Only its writer can replace it. Rows of the same process of a node are ordered
 * by sequence; the rows of a later process of the node are newer. Immutable.
 *
 * @param node the writer
 * @param incarnation the process of the writer, as in {@link io.ballast.cluster.mesh.ClusterNode}
 * @param sequence increases with each change of a row of the writer
 * @param topic the subject of the row, unique for its writer
 * @param content the content; must not be changed
 */
@SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array is not copied
public record Observation(String node, long incarnation, long sequence, String topic, byte[] content) {}
