import { readCsv, writeCsv } from './csv.js';

const STATIONS = ['Harbour', 'Old Town', 'Ridge', 'Airport'];
const BROKEN_SENSOR = 999.9;

const clean = [];
const rejected = [];
const seen = new Set();

for (const raw of readCsv('readings.csv')) {
  const row = {
    station: STATIONS.find((name) => name.toLowerCase() === raw.station.trim().toLowerCase()),
    date: isoDate(raw.date),
    temperature_c: number(raw.temperature_c),
    rain_mm: number(raw.rain_mm),
  };
  const why = reason(row);
  if (why) rejected.push({ ...raw, why });
  else clean.push(row);
  seen.add(`${row.station} ${row.date}`);
}
writeCsv('out/clean.csv', ['station', 'date', 'temperature_c', 'rain_mm'], clean);
writeCsv('out/rejected.csv', ['station', 'date', 'temperature_c', 'rain_mm', 'why'], rejected);
console.log(`${clean.length} clean, ${rejected.length} rejected`);

function reason({ station, date, temperature_c, rain_mm }) {
  if (!station) return 'unknown station';
  if (!date) return 'no date';
  if (seen.has(`${station} ${date}`)) return 'double';
  if (temperature_c === null || rain_mm === null) return 'no number';
  if (temperature_c === BROKEN_SENSOR) return 'broken sensor';
  return null;
}

function isoDate(text) {
  const german = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(text);
  if (german) return `${german[3]}-${german[2]}-${german[1]}`;
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : null;
}

function number(text) {
  const value = Number(text.replace(',', '.'));
  return text.trim() === '' || Number.isNaN(value) ? null : value;
}
