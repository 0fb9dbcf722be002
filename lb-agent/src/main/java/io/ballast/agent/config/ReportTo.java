package io.ballast.agent.config;

/** To which nodes an agent reports. */
public enum ReportTo {
    /** To all nodes. Each node knows the backends by itself. */
    ALL,
    /** To one node; if this node fails, to the next node. */
    ONE
}
