// Prints the results of http-tests/cache-tests as JSON, each judged as the suite itself does.
// Usage: node cache_tests.mjs DIRECTORY_OF_THE_SUITE RESULTS
import fs from 'node:fs'
import { pathToFileURL } from 'node:url'

const [, , suite, file] = process.argv
const load = path => import(pathToFileURL(`${suite}/${path}`))
const groups = (await load('tests/index.mjs')).default
const { determineTestResult, resultTypes } = await load('test-engine/lib/results.mjs')
const results = JSON.parse(fs.readFileSync(file, 'utf8'))

const judged = []
for (const group of groups) {
  for (const test of group.tests) {
    if (test.browser_only) continue
    const type = determineTestResult(groups, test.id, results)
    judged.push({
      group: group.name,
      id: test.id,
      kind: test.kind || 'required',
      result: Object.keys(resultTypes).find(name => resultTypes[name] === type),
      reason: results[test.id] === true ? '' : String((results[test.id] || [])[1] || '')
    })
  }
}
console.log(JSON.stringify(judged))
