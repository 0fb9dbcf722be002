"""Tests of the agents of lb-bench/cluster."""

import asyncio
import unittest

from harness import agent_crowd, cluster_agents


class ClusterAgentsTest(unittest.TestCase):
    def test_all_bars_must_be_met(self):
        good = {"register": 9.9, "return": 2.0, "traffic": 99}
        self.assertTrue(cluster_agents.is_met(good))
        for name in good:
            self.assertFalse(cluster_agents.is_met({**good, name: 101}))

    def test_agents_have_different_backends(self):
        crowd = agent_crowd.Crowd(None, 30, 10, "token")
        documents = b"".join(agent._document for agent in crowd.agents)
        addresses = {part.split(b'"')[0] for part in documents.split(b'"address": "')[1:]}
        self.assertEqual(len(addresses), 300)
        self.assertEqual(len({agent.id for agent in crowd.agents}), 30)

    def test_missing_agents_are_reported(self):
        crowd = agent_crowd.Crowd(None, 2, 1, "token")
        crowd.agents[0].connected_at = 1.0
        with self.assertRaisesRegex(TimeoutError, "1 of 2 agents"):
            asyncio.run(crowd.all_connected(0.01))


if __name__ == "__main__":
    unittest.main()
