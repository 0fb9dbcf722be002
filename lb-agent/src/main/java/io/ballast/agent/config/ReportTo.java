package io.ballast.agent.config;

/** The nodes to which an agent reports. */
public enum ReportTo {
    /** To all nodes, so that no node depends on another node for the reports. */
    ALL,
    /** To one node; if this node fails, to the next node. */
    ONE
}
