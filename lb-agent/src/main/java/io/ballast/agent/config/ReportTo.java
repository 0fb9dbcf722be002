package io.ballast.agent.config;

/** The nodes to which an agent reports. */
public enum ReportTo {
    /** The agent reports to all nodes, so that no node depends on another node for the reports. */
    ALL,
    /** The agent reports to one node; if this node fails, it reports to the next node. */
    ONE
}
